import { EVENT_DAYS_MAX, type PixelEvent, Sent } from '../../../../plugins/ads/model.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { callAdapter } from '../../../integrations/connections/calls/call.ts'
import { connectionIfOn } from '../../../integrations/connections/connection.ts'
import { findConnection } from '../../../integrations/connections/connections.queries.ts'
import { AdapterFailure, type FailureReason } from '../../../integrations/egress/failure.ts'
import { findOrder } from '../../../orders/orders.queries.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import { findStore } from '../../../shop/stores/stores.queries.ts'
import { partsOf } from '../parts.ts'
import type { AdsConnection } from '../settings.ts'
import { forgetSpend } from '../spend/spend.queries.ts'
import { eventOfOrder } from './event-of.ts'
import {
  claimEvents,
  type EventRow,
  forgetEvents,
  forgetSettled,
  listDue,
  markLate,
  putOff,
  putOffAll,
  settleEvent,
  settleSent,
} from './events.queries.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'ads.sendDue': Record<string, unknown>
    'ads.send': { connectionId: string }
    'ads.forget': Record<string, unknown>
  }
}

const CONNECTIONS_AT_ONCE = 500
const AT_ONCE = 100
/** Read beside each other. */
const ORDERS_AT_ONCE = 10
const BATCHES_MAX = 10
const CALL_MS = 30_000
/** Longer than a call, and shorter than anybody minds. */
const CLAIMED_SECONDS = 300
const OFF_SECONDS = 900
const AGAIN_SECONDS = [60, 120, 300, 900, 3600]
const DAY_SECONDS = 86_400
/** On the way an event grows older. */
const MARGIN_SECONDS = 3600
const WORDS_MAX = 500
const KEPT_DAYS = 365
/** A year beside the one before. */
const SPEND_KEPT_DAYS = 800
const FORGOTTEN_AT_ONCE = 10_000

export const sendSoon = (sql: Context['sql'], connectionId: string, projectId: string) =>
  enqueue(sql, 'ads.send', { connectionId }, { key: `ads:${connectionId}`, queue: `ads:${connectionId}`, owner: projectId, maxAttempts: 1 })

/** Sees which connections have events that are due, every minute. */
export async function sendDue({ sql }: Context): Promise<void> {
  for (const { connectionId, projectId } of await listDue(sql, CONNECTIONS_AT_ONCE)) await sendSoon(sql, connectionId, projectId)
}

/** How old an event may be where the platform takes those of so many days. */
export const secondsOf = (days: number) => days * DAY_SECONDS - MARGIN_SECONDS
export const lifeOf = ({ mounted: { adapter } }: AdsConnection): number => secondsOf(adapter.limits.eventDays)

/** Tells what is due of a connection, in batches; those that were not judged are told again under the same ids. */
export async function sendOf(context: Context, connectionId: string, signal?: AbortSignal): Promise<void> {
  const connection = await connectionIfOn(context, 'ads', connectionId)
  if (!connection) return leave(context, connectionId)
  await markLate(context.sql, connectionId, lifeOf(connection))
  const store = await findStore(context.sql, connection.row.storeId)
  if (!store) return
  const most = Math.min(AT_ONCE, connection.mounted.adapter.limits.eventsAtOnce)
  for (let batches = 0; batches < BATCHES_MAX && !signal?.aborted; batches += 1) {
    const rows = await claimEvents(context.sql, connectionId, most, CLAIMED_SECONDS)
    if (rows.length === 0) return
    for (const part of Map.groupBy(rows, ({ pixelId, event }) => `${pixelId} ${event}`).values())
      if (!(await sendPart(context, connection, store, part))) return
    if (rows.length < most) return
  }
}

/** Nobody can be told now: what waits grows late all the same. What was left behind by a connection that went is forgotten. */
async function leave({ sql, plugins }: Context, connectionId: string): Promise<void> {
  const row = await findConnection(sql, connectionId)
  if (!row) return void (await forgetEvents(sql, connectionId))
  const { eventDays = EVENT_DAYS_MAX } = plugins.find('ads', row.key)?.adapter.limits ?? {}
  await markLate(sql, connectionId, secondsOf(eventDays))
  await putOffAll(sql, connectionId, OFF_SECONDS)
}

/** Forgets what was settled long ago, and what was spent longer ago than anybody can ask for. */
export async function forgetOld({ sql }: Pick<Context, 'sql'>): Promise<void> {
  for (const [forget, days] of [[forgetSettled, KEPT_DAYS] as const, [forgetSpend, SPEND_KEPT_DAYS] as const])
    while ((await forget(sql, days, FORGOTTEN_AT_ONCE)).count === FORGOTTEN_AT_ONCE);
}

/** What is no matter of one pixel: the platform takes nothing more for now. */
const OF_ALL: ReadonlySet<FailureReason> = new Set(['rate_limited', 'unavailable', 'timeout'])

/** Those of one pixel and one name, whose ids therefore are all different. Says whether others may be told meanwhile. */
async function sendPart(context: Context, connection: AdsConnection, store: Store, rows: readonly EventRow[]): Promise<boolean> {
  const [first] = rows
  if (!first) return true
  const told = await eventsOf(context, connection, store, rows)
  if (told.size === 0) return true
  const ordersOf = (ids: readonly string[]) => ids.flatMap((id) => told.get(id)?.row.orderId ?? [])
  try {
    const sent = await tell(
      context,
      connection,
      first.pixelId,
      [...told.values()].map(({ event }) => event),
    )
    await settleSent(context.sql, first, ordersOf(sent.accepted))
    for (const { id, why } of sent.refused)
      for (const orderId of ordersOf([id])) await settleEvent(context.sql, { ...first, orderId }, 'refused', why.slice(0, WORDS_MAX))
    return true
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error
    const attempts = Math.min(AGAIN_SECONDS.length, Math.max(...rows.map((row) => row.attempts))) - 1
    const seconds = error.upstream.retryAfterSeconds ?? AGAIN_SECONDS[attempts] ?? 60
    await putOff(context.sql, first, ordersOf([...told.keys()]), Math.ceil(seconds), error.message.slice(0, WORDS_MAX))
    return !OF_ALL.has(error.reason)
  }
}

/** The events of orders that are still there, by their ids. */
async function eventsOf({ sql }: Context, { mounted: { adapter } }: AdsConnection, store: Store, rows: readonly EventRow[]) {
  const told = new Map<string, { readonly row: EventRow; readonly event: PixelEvent }>()
  for (const part of partsOf(rows, ORDERS_AT_ONCE)) {
    const orders = await Promise.all(part.map(({ storeId, orderId }) => findOrder(sql, { storeId, id: orderId })))
    for (const [at, row] of part.entries()) {
      const order = orders[at]
      if (!order) await settleEvent(sql, row, 'refused', 'The order was deleted.')
      else {
        const event = eventOfOrder(adapter, store, order, row)
        told.set(event.id, { row, event })
      }
    }
  }
  return told
}

/** Tells the platform of events. What it answers is of these alone. */
export async function tell(context: Context, connection: AdsConnection, pixelId: string, events: PixelEvent[]): Promise<Sent> {
  const sent = await callAdapter(context, forEvents(connection), (adapter, own) => adapter.sendEvents(own, { pixelId, events }), {
    operation: 'sendEvents',
    deadlineMs: CALL_MS,
    schema: Sent,
  })
  const ours = new Set(events.map(({ id }) => id))
  return { accepted: sent.accepted.filter((id) => ours.has(id)), refused: sent.refused.filter(({ id }) => ours.has(id)) }
}

/** Where a token for events alone was typed in they are told as by an adapter that nobody signs in at, whatever becomes of a sign-in. */
export function forEvents(connection: AdsConnection): AdsConnection {
  const { mounted, credentials } = connection
  const { oauth: _, ...adapter } = mounted.adapter
  return adapter.eventsToken !== undefined && credentials[adapter.eventsToken]
    ? { ...connection, mounted: { ...mounted, adapter } }
    : connection
}
