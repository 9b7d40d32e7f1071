import { Pulled } from '../../../../plugins/connector/model.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import type { ConnectionRef } from '../../../integrations/connections/connections.model.ts'
import { findConnectionRef } from '../../../integrations/connections/connections.queries.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import { mapConcurrent } from '../../../lib/async/map-concurrent.ts'
import { findEnabledShop, nextPullStartOf } from '../connector.ts'
import type { ExternalOrder } from '../connectors.model.ts'
import { findAccountProblem } from '../install/shop-identity.ts'
import { findOrInsertShopSync, listDuePulls, lockShopSync, type ShopSyncRow, updateShopSync } from '../shop-sync.queries.ts'
import type { Shop } from './import-order.ts'
import { requestPendingImport } from './request-pending-import.ts'
import { applyShopChange, changingOutcomes, findShop } from './upsert-order.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'connectors.pull': { connectionId: string }
    'connectors.pullDue': Record<string, unknown>
  }
}

const PAGE_MS = 30_000
/** Longest duration of one job, in milliseconds. The next one continues, so that other shops have their turn. */
const SLICE_MS = 60_000
/** Interval of pulls, in milliseconds. They read all changes again, since webhooks get lost. */
const EVERY_MS = 4 * 3_600_000
const RETRY_MS = 60_000
const STORED_AT_ONCE = 4
/** Pause between frequent pulls, as a multiple of the duration of the last one. */
const PAUSE_FACTOR = 4
const DUE_MAX = 500
const MESSAGE_MAX = 500

/**
 * Enqueues a pull of the orders since `since`, or since the end of the last pull. A pull that is under way continues, unless the new one
 * starts earlier. A pull that failed for want of access continues too. Returns the new state.
 */
export async function requestPull(tx: Tx, connection: ConnectionRef, since?: string): Promise<ShopSyncRow> {
  const { id: connectionId, projectId: owner } = connection
  const channel = await lockShopSync(tx, connection)
  const from = since ?? nextPullStartOf(channel)
  const isUnderWay = channel.pullStatus === 'queued' || channel.pullStatus === 'running'
  await enqueue(tx, 'connectors.pull', { connectionId }, { key: `channel:${connectionId}`, queue: `channel:${connectionId}`, owner })
  const isBefore = channel.pullSince !== null && Date.parse(channel.pullSince) <= Date.parse(from)
  const nextPullAt = new Date(Date.now() + EVERY_MS).toISOString()
  if (isUnderWay && isBefore) {
    await updateShopSync(tx, connection, { nextPullAt })
    return { ...channel, nextPullAt }
  }
  if (channel.pullStatus === 'failed' && isBefore) {
    const continued = { pullStatus: 'queued', pullMessage: null, nextPullAt } as const
    await updateShopSync(tx, connection, continued)
    return { ...channel, ...continued }
  }
  const started = {
    pullStatus: 'queued',
    pullSince: from,
    pullCursor: null,
    pullSeen: 0,
    pullChanged: 0,
    pullUnreadable: 0,
    pullTotal: null,
    pullMessage: null,
    pullStartedAt: new Date().toISOString(),
    pullFinishedAt: null,
    nextPullAt,
  } as const
  await updateShopSync(tx, connection, started)
  return { ...channel, ...started }
}

/** Requests the pulls that are due. */
export async function requestDuePulls({ sql }: Context): Promise<void> {
  for (const due of await listDuePulls(sql, DUE_MAX)) await transaction(sql, (tx) => requestPull(tx, due))
}

/**
 * Runs the job that pulls orders, from the stored cursor. A run that continues after a crash reads one page twice, which changes nothing.
 */
export async function pullOrders(context: Context, connectionId: string, signal: AbortSignal): Promise<void> {
  const connection = await findEnabledShop(context, connectionId)
  const shop = connection && (await findShop(context, connection))
  if (!shop) return markSwitchedOff(context, connectionId)
  const until = Date.now() + SLICE_MS
  try {
    while (await readPage(context, shop, signal)) {
      signal.throwIfAborted()
      if (Date.now() > until) return await enqueueNext(context, connectionId, 0)
    }
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error
    await handleFailure(context, shop.connection.row, error)
  }
}

/** Records that a shop is switched off, unless its connection is gone. */
async function markSwitchedOff({ sql }: Context, connectionId: string): Promise<void> {
  const connection = await findConnectionRef(sql, connectionId)
  if (connection) await updateShopSync(sql, connection, { pullStatus: 'failed', pullMessage: 'It is switched off.' })
}

/** Pulls one page. Returns true if there is another. */
async function readPage(context: Context, shop: Shop, signal: AbortSignal): Promise<boolean> {
  const { row } = shop.connection
  const before = await findOrInsertShopSync(context.sql, row)
  if (before.pullStatus !== 'queued' && before.pullStatus !== 'running') return false
  const request = { since: before.pullSince, cursor: before.pullCursor }
  const { rereadMinutes } = shop.connection.mounted.adapter
  const quota = rereadMinutes === undefined ? 'read' : 'list'
  const options = { operation: 'pull', deadlineMs: PAGE_MS, schema: Pulled, signal, quota } as const
  const answer = await callAdapter(context, shop.connection, (adapter, own) => adapter.pull(own, request), options)
  const { orders, unreadable = [], cursor, total = null } = answer
  if (cursor !== null && cursor === request.cursor)
    throw new AdapterFailure('refused', 'The shop returns the same page repeatedly.', { wasSent: false })
  const problem = await findAccountProblem(context, shop.connection)
  if (problem !== undefined) throw new AdapterFailure('refused', problem, { wasSent: false })
  const changed = await storeAll(context, shop, orders)
  for (const one of unreadable) await applyShopChange(context, shop, { unreadable: one })
  const counters = {
    pullSeen: before.pullSeen + orders.length + unreadable.length,
    pullUnreadable: before.pullUnreadable + unreadable.length,
    pullChanged: before.pullChanged + changed,
    pullTotal: total ?? before.pullTotal,
  }
  return transaction(context.sql, async (tx) => {
    const now = await lockShopSync(tx, row)
    // Another pull was started meanwhile.
    if (now.pullStartedAt !== before.pullStartedAt || now.pullCursor !== before.pullCursor) return true
    if (cursor !== null) {
      await updateShopSync(tx, row, { ...counters, pullStatus: 'running', pullCursor: cursor })
      return true
    }
    await updateShopSync(tx, row, {
      ...counters,
      pullStatus: 'done',
      pullCursor: null,
      pullMessage: null,
      pullFinishedAt: new Date().toISOString(),
      pulledUntil: pulledUntilOf(now),
      ...(rereadMinutes !== undefined && { nextPullAt: nextPullOf(now, rereadMinutes) }),
    })
    await requestPendingImport(tx, row.id)
    return false
  })
}

/**
 * Returns the time until which orders are read. A pull that started after the end of the previous one leaves a gap, which is read later.
 */
const pulledUntilOf = ({ pullSince, pullStartedAt, pulledUntil }: ShopSyncRow): string =>
  pullStartedAt === null || (pullSince !== null && Date.parse(pullSince) > Date.parse(pulledUntil)) ? pulledUntil : pullStartedAt

/** Returns the time of the next pull; slower pulls run less often. */
const nextPullOf = ({ pullStartedAt }: ShopSyncRow, minutes: number): string => {
  const took = pullStartedAt === null ? 0 : Date.now() - Date.parse(pullStartedAt)
  return new Date(Date.now() + Math.min(EVERY_MS, Math.max(minutes * 60_000, took * PAUSE_FACTOR))).toISOString()
}

/** Stores orders concurrently, but versions of one order oldest first. Returns the number that created or changed something. */
async function storeAll(context: Context, shop: Shop, orders: readonly ExternalOrder[]): Promise<number> {
  const versions = Map.groupBy(oldestFirst(orders), ({ externalId }) => externalId)
  const counts = await mapConcurrent([...versions.values()], STORED_AT_ONCE, async (ofOne) => {
    let changed = 0
    for (const order of ofOne) if (changingOutcomes.includes(await applyShopChange(context, shop, { order }))) changed += 1
    return changed
  })
  return counts.reduce((sum, changed) => sum + changed, 0)
}

const oldestFirst = <O extends { readonly updatedAt: string }>(orders: readonly O[]) =>
  orders.toSorted((a, b) => Date.parse(a.updatedAt) - Date.parse(b.updatedAt))

const enqueueNext = ({ sql }: Context, connectionId: string, inMs: number) =>
  enqueue(
    sql,
    'connectors.pull',
    { connectionId },
    { key: `channel:${connectionId}`, queue: `channel:${connectionId}`, runAt: new Date(Date.now() + inMs) },
  )

/**
 * Handles a failed pull. A shop that does not answer is retried soon. One without access continues from the same place once it has access.
 * A refused pull starts again at the next regular time.
 */
async function handleFailure(context: Context, connection: ConnectionRef, failure: AdapterFailure): Promise<void> {
  const message = failure.message.slice(0, MESSAGE_MAX)
  const isOver = failure.reason === 'refused' || failure.reason === 'not_found'
  const isForGood = isOver || failure.reason === 'unauthorized'
  const status = { ...(isForGood && { pullStatus: 'failed' as const }), ...(isOver && { pullSince: null, pullCursor: null }) }
  await updateShopSync(context.sql, connection, { pullMessage: message, ...status })
  if (isForGood) return
  await enqueueNext(context, connection.id, Math.max(RETRY_MS, (failure.upstream.retryAfterSeconds ?? 0) * 1000))
}
