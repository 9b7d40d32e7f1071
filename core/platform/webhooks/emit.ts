import { sendWithCommit, type Tx } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import { newId } from '../../lib/ids.ts'
import { type EventRow, insertEvents } from './emit.queries.ts'
import { type EventName, type Events, findEventDeclaration } from './events.ts'

interface Emitted<N extends EventName> {
  readonly projectId: string
  readonly type: N
  readonly data: Events[N]
  /** Topic of a stock event, `{namespace}/{key}`, which endpoints can filter by. */
  readonly topic?: string
  /** Id of the parcel or order. Endpoints with `ordered` receive deliveries of one key in order. */
  readonly orderKey?: string
}
/** Event to emit. */
export type NewEvent = { [N in EventName]: Emitted<N> }[EventName]

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** Published with the events of a change, whether or not an endpoint has subscribed to them. */
    'webhook.emitted': readonly NewEvent[]
  }
}

/** Separator of namespace and key in a compared topic. Neither may contain it. */
const BETWEEN = '\u0001'

/**
 * Emits webhook events to all subscribed endpoints, in the transaction of the change. They are sent only if it commits. Uses one statement
 * for any number of events, which leaves with the next one or with the commit. Writes nothing if no endpoint has subscribed.
 */
export async function emitWebhook(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  sendWithCommit(tx, [insertEvents(tx, events.map(toRow))])
  await publish(tx, 'webhook.emitted', events)
}

/** Emits events to one endpoint of their project or store, whether it has subscribed or not. */
export async function emitWebhookTo(tx: Tx, endpointId: string, events: readonly NewEvent[]): Promise<void> {
  sendWithCommit(tx, [insertEvents(tx, events.map(toRow), endpointId)])
}

function toRow({ projectId, type, data, topic, orderKey }: NewEvent): EventRow {
  const id = newId('evt')
  const createdAt = new Date().toISOString()
  return {
    id,
    projectId,
    type,
    topic: topic === undefined ? type : `${type}:${topic.replace('/', BETWEEN)}`,
    orderKey: orderKey ?? '',
    body: eventBody({ id, type, createdAt, projectId, data }),
    createdAt,
    audience: findEventDeclaration(type).audience,
  }
}

/** Builds the body that is signed and sent. */
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
