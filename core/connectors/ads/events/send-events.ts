import { EVENT_DAYS_MAX, type PixelEvent, Sent } from '../../../../plugins/ads/events.model.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import { findEnabledConnection } from '../../../integrations/connections/connection.ts'
import { findConnection, findConnectionRef } from '../../../integrations/connections/connections.queries.ts'
import { AdapterFailure, type FailureReason } from '../../../integrations/egress/adapter-failure.ts'
import { drainChanges } from '../../../orders/changes/drain-changes.ts'
import { findOrder } from '../../../orders/orders.queries.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import { findStore } from '../../../shop/stores/stores.queries.ts'
import { chunksOf } from '../chunks.ts'
import type { AdsConnection } from '../settings.ts'
import { deleteOldSpend } from '../spend/spend.queries.ts'
import { buildOrderEvent } from './build-event.ts'
import {
  type AdsEventRow,
  claimEvents,
  delayDueEvents,
  delayEvents,
  deleteEvents,
  deleteFinishedEvents,
  listConnectionsWithDueEvents,
  markEventsLate,
  markEventsSent,
  recordEventOutcome,
} from './events.queries.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'ads.sendDue': Record<string, unknown>
    'ads.send': { connectionId: string }
    'ads.deleteExpired': Record<string, unknown>
  }
}

const CONNECTIONS_AT_ONCE = 500
const AT_ONCE = 100
/** Orders that are read concurrently. */
const ORDERS_AT_ONCE = 10
const BATCHES_MAX = 10
const CALL_MS = 30_000
/** Seconds for which events are claimed: longer than a call takes. */
const CLAIMED_SECONDS = 300
const OFF_SECONDS = 900
const RETRY_SECONDS = [60, 120, 300, 900, 3600]
const DAY_SECONDS = 86_400
/** Seconds by which the age limit is reduced, since an event ages on its way. */
const MARGIN_SECONDS = 3600
const MESSAGE_MAX = 500
const KEPT_DAYS = 365
/** Days for which spend is kept: more than two years, to compare a year with the one before. */
const SPEND_KEPT_DAYS = 800
const FORGOTTEN_AT_ONCE = 10_000

/** Enqueues the job that sends the due events of a connection. */
export const requestEventSend = (sql: Context['sql'], connectionId: string, projectId: string) =>
  enqueue(sql, 'ads.send', { connectionId }, { key: `ads:${connectionId}`, queue: `ads:${connectionId}`, owner: projectId, maxAttempts: 1 })

/** Runs the job that finds connections with due events, every minute. */
export async function requestDueEventSends({ sql, log }: Context): Promise<void> {
  await drainChanges({ sql, log })
  for (const { connectionId, projectId } of await listConnectionsWithDueEvents(sql, CONNECTIONS_AT_ONCE))
    await requestEventSend(sql, connectionId, projectId)
}

/** Returns the largest age of an event in seconds, for a platform that accepts events of up to `days`. */
export const maxEventAgeOfDays = (days: number) => days * DAY_SECONDS - MARGIN_SECONDS
/** Returns the largest age of an event in seconds that the platform of a connection accepts. */
export const maxEventAgeOf = ({ mounted: { adapter } }: AdsConnection): number => maxEventAgeOfDays(adapter.limits.eventDays)

/** Sends the due events of a connection in batches. Events without an outcome are sent again under the same ids. */
export async function sendDueEvents(context: Context, connectionId: string, signal?: AbortSignal): Promise<void> {
  const connection = await findEnabledConnection(context, 'ads', connectionId)
  if (!connection) return handleUnavailable(context, connectionId)
  await markEventsLate(context.sql, connection.row, maxEventAgeOf(connection))
  const store = await findStore(context.sql, connection.row.storeId)
  if (!store) return
  const limit = Math.min(AT_ONCE, connection.mounted.adapter.limits.eventsAtOnce)
  for (let batches = 0; batches < BATCHES_MAX && !signal?.aborted; batches += 1) {
    const rows = await claimEvents(context.sql, connection.row, limit, CLAIMED_SECONDS)
    if (rows.length === 0) return
    for (const part of Map.groupBy(rows, ({ pixelId, event }) => `${pixelId} ${event}`).values())
      if (!(await sendBatch(context, connection, store, part))) return
    if (rows.length < limit) return
  }
}

/** Delays the events of a disabled connection and marks those that become too old. Deletes the events of a deleted one. */
async function handleUnavailable({ sql, plugins }: Context, connectionId: string): Promise<void> {
  const ref = await findConnectionRef(sql, connectionId)
  if (!ref) return
  const row = await findConnection(sql, ref)
  if (!row) return void (await deleteEvents(sql, ref))
  const { eventDays = EVENT_DAYS_MAX } = plugins.find('ads', row.key)?.adapter.limits ?? {}
  await markEventsLate(sql, row, maxEventAgeOfDays(eventDays))
  await delayDueEvents(sql, row, OFF_SECONDS)
}

/** Deletes events that were finished a year ago, and spend that is too old to be queried. */
export async function deleteOldAdsData({ sql }: Pick<Context, 'sql'>): Promise<void> {
  for (const [forget, days] of [[deleteFinishedEvents, KEPT_DAYS] as const, [deleteOldSpend, SPEND_KEPT_DAYS] as const])
    while ((await forget(sql, days, FORGOTTEN_AT_ONCE)).count === FORGOTTEN_AT_ONCE);
}

/** Failure reasons that concern the whole connection, not one pixel. */
const CONNECTION_WIDE_REASONS: ReadonlySet<FailureReason> = new Set(['rate_limited', 'unavailable', 'timeout'])

/** Sends events of one pixel and one name, so their ids are distinct. Returns false if the platform accepts no other events for now. */
async function sendBatch(context: Context, connection: AdsConnection, store: Store, rows: readonly AdsEventRow[]): Promise<boolean> {
  const [first] = rows
  if (!first) return true
  const eventsById = await buildEvents(context, connection, store, rows)
  if (eventsById.size === 0) return true
  const ordersOf = (ids: readonly string[]) => ids.flatMap((id) => eventsById.get(id)?.row.orderId ?? [])
  try {
    const sent = await sendEvents(
      context,
      connection,
      first.pixelId,
      [...eventsById.values()].map(({ event }) => event),
    )
    await markEventsSent(context.sql, first, ordersOf(sent.accepted))
    for (const { id, why } of sent.refused)
      for (const orderId of ordersOf([id]))
        await recordEventOutcome(context.sql, { ...first, orderId }, 'refused', why.slice(0, MESSAGE_MAX))
    return true
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error
    const attempts = Math.min(RETRY_SECONDS.length, Math.max(...rows.map((row) => row.attempts))) - 1
    const seconds = error.upstream.retryAfterSeconds ?? RETRY_SECONDS[attempts] ?? 60
    await delayEvents(context.sql, first, ordersOf([...eventsById.keys()]), Math.ceil(seconds), error.message.slice(0, MESSAGE_MAX))
    return !CONNECTION_WIDE_REASONS.has(error.reason)
  }
}

/** Builds the events of orders that still exist, by event id. Refuses those of deleted orders. */
async function buildEvents({ sql }: Context, { mounted: { adapter } }: AdsConnection, store: Store, rows: readonly AdsEventRow[]) {
  const eventsById = new Map<string, { readonly row: AdsEventRow; readonly event: PixelEvent }>()
  for (const part of chunksOf(rows, ORDERS_AT_ONCE)) {
    const orders = await Promise.all(part.map(({ orderId }) => findOrder(sql, { storeId: store.id, id: orderId })))
    for (const [at, row] of part.entries()) {
      const order = orders[at]
      if (!order) await recordEventOutcome(sql, row, 'refused', 'The order was deleted.')
      else {
        const event = buildOrderEvent(adapter, store, order, row)
        eventsById.set(event.id, { row, event })
      }
    }
  }
  return eventsById
}

/** Sends events to the platform. Ignores ids in its answer that were not sent. */
export async function sendEvents(context: Context, connection: AdsConnection, pixelId: string, events: PixelEvent[]): Promise<Sent> {
  const sent = await callAdapter(context, withEventsToken(connection), (adapter, own) => adapter.sendEvents(own, { pixelId, events }), {
    operation: 'sendEvents',
    deadlineMs: CALL_MS,
    schema: Sent,
  })
  const ours = new Set(events.map(({ id }) => id))
  return { accepted: sent.accepted.filter((id) => ours.has(id)), refused: sent.refused.filter(({ id }) => ours.has(id)) }
}

/** Returns the connection without its sign-in if it has a separate token for events, so that events do not depend on the sign-in. */
export function withEventsToken(connection: AdsConnection): AdsConnection {
  const { mounted, credentials } = connection
  const { oauth: _, ...adapter } = mounted.adapter
  return adapter.eventsToken !== undefined && credentials[adapter.eventsToken]
    ? { ...connection, mounted: { ...mounted, adapter } }
    : connection
}
