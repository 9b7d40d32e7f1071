import type { Tx } from '../../data/sql.ts'
import { newId } from '../../lib/ids.ts'
import { type EventRow, insertEvents } from './emit.queries.ts'
import { type EventName, type Events, eventNamed } from './events.ts'

interface Emitted<N extends EventName> {
  readonly projectId: string
  readonly storeId?: string
  readonly type: N
  readonly data: Events[N]
  /** Of stock events: `{namespace}/{key}`, which endpoints can filter by. */
  readonly topic?: string
  /** What an `ordered` endpoint gets one at a time: the parcel's or order's id. */
  readonly orderKey?: string
}
export type NewEvent = { [N in EventName]: Emitted<N> }[EventName]

/** Stands between namespace and key where they are compared with what endpoints ask for: neither has any such character. */
const BETWEEN = '\u0001'

let look: (event: NewEvent) => void = () => {}

/** Somebody looks at each event before it is written. */
export const observeEvents = (looking: typeof look) => {
  look = looking
}

/**
 * Tells every endpoint that subscribed, in the transaction of the change: sent exactly if that commits. One statement for any
 * number of events; where nobody subscribed nothing is written.
 */
export async function emitWebhook(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  events.forEach(look)
  await insertEvents(tx, events.map(toRow))
}

/** Tells one endpoint of the events' own project or store, whether it subscribed to them or not. */
export async function emitWebhookTo(tx: Tx, endpointId: string, events: readonly NewEvent[]): Promise<void> {
  events.forEach(look)
  await insertEvents(tx, events.map(toRow), endpointId)
}

function toRow({ projectId, storeId, type, data, topic, orderKey }: NewEvent): EventRow {
  const id = newId('evt')
  const createdAt = new Date().toISOString()
  return {
    id,
    projectId,
    storeId: storeId ?? '',
    type,
    topic: topic === undefined ? type : `${type}:${topic.replace('/', BETWEEN)}`,
    orderKey: orderKey ?? '',
    body: eventBody({ id, type, createdAt, projectId, data }),
    createdAt,
    audience: eventNamed(type).audience,
  }
}

/** The bytes that are signed and sent, made once. */
export const eventBody = ({
  id,
  type,
  createdAt,
  projectId,
  data,
}: {
  id: string
  type: string
  createdAt: string
  projectId: string
  data: unknown
}) => JSON.stringify({ id, type, createdAt, projectId, data })
