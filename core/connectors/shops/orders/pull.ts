import { Pulled } from '../../../../plugins/connector/model.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { callAdapter } from '../../../integrations/connections/calls/call.ts'
import { AdapterFailure } from '../../../integrations/egress/failure.ts'
import { mapConcurrent } from '../../../lib/async/map-concurrent.ts'
import type { ExternalOrder } from '../channels.model.ts'
import { type ChannelRow, channelOf, listDue, lockChannel, type Of, updateChannel } from '../channels.queries.ts'
import { shopIfOn } from '../connector.ts'
import { whyNotOurs } from '../install/shop-identity.ts'
import type { Shop } from './import-order.ts'
import { nextSinceOf } from './next-since.ts'
import { requestSettling } from './request-settling.ts'
import { moved, shopOf, takeNews } from './upsert.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'channels.pull': { connectionId: string }
    'channels.pullDue': Record<string, unknown>
  }
}

const PAGE_MS = 30_000
/** One job reads for so long, then the next goes on: others have their turn in between. */
const SLICE_MS = 60_000
/** Webhooks get lost: all that changed is read again so often. */
const EVERY_MS = 4 * 3_600_000
const LATER_MS = 60_000
const TAKEN_AT_ONCE = 4
/** What is read again and again rests so many times as long as it took. */
const RESTS = 4
const DUE_MAX = 500
const WORDS_MAX = 500

/**
 * Has the orders of a connection read, from `since` or from where the last reading ended. One that is under way goes on as it is, unless it is to
 * begin earlier; so does one that stood still because nobody was let in.
 */
export async function requestPull(tx: Tx, { id: connectionId, projectId: owner }: Of, since?: string): Promise<ChannelRow> {
  const channel = await lockChannel(tx, connectionId)
  const from = since ?? nextSinceOf(channel)
  const isUnderWay = channel.pullStatus === 'queued' || channel.pullStatus === 'running'
  await enqueue(tx, 'channels.pull', { connectionId }, { key: `channel:${connectionId}`, queue: `channel:${connectionId}`, owner })
  const isBefore = channel.pullSince !== null && Date.parse(channel.pullSince) <= Date.parse(from)
  const nextPullAt = new Date(Date.now() + EVERY_MS).toISOString()
  if (isUnderWay && isBefore) {
    await updateChannel(tx, connectionId, { nextPullAt })
    return { ...channel, nextPullAt }
  }
  if (channel.pullStatus === 'failed' && isBefore) {
    const goesOn = { pullStatus: 'queued', pullMessage: null, nextPullAt } as const
    await updateChannel(tx, connectionId, goesOn)
    return { ...channel, ...goesOn }
  }
  const begun = {
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
  await updateChannel(tx, connectionId, begun)
  return { ...channel, ...begun }
}

/** Those whose turn it is. */
export async function pullDue({ sql }: Context): Promise<void> {
  for (const due of await listDue(sql, DUE_MAX)) await transaction(sql, (tx) => requestPull(tx, due))
}

/** Reads on from the cursor. Whoever takes over from a process that died reads one page twice, which does no harm. */
export async function pull(context: Context, connectionId: string, signal: AbortSignal): Promise<void> {
  const connection = await shopIfOn(context, connectionId)
  const shop = connection && (await shopOf(context, connection))
  if (!shop) return void (await updateChannel(context.sql, connectionId, { pullStatus: 'failed', pullMessage: 'It is switched off.' }))
  const until = Date.now() + SLICE_MS
  try {
    while (await readPage(context, shop, signal)) {
      signal.throwIfAborted()
      if (Date.now() > until) return await again(context, connectionId, 0)
    }
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error
    await giveUp(context, connectionId, error)
  }
}

/** Says whether there is another. */
async function readPage(context: Context, shop: Shop, signal: AbortSignal): Promise<boolean> {
  const { id } = shop.connection.row
  const before = await channelOf(context.sql, id)
  if (before.pullStatus !== 'queued' && before.pullStatus !== 'running') return false
  const asked = { since: before.pullSince, cursor: before.pullCursor }
  const { rereadMinutes } = shop.connection.mounted.adapter
  const quota = rereadMinutes === undefined ? 'read' : 'list'
  const options = { operation: 'pull', deadlineMs: PAGE_MS, schema: Pulled, signal, quota } as const
  const answer = await callAdapter(context, shop.connection, (adapter, own) => adapter.pull(own, asked), options)
  const { orders, unreadable = [], cursor, total = null } = answer
  if (cursor !== null && cursor === asked.cursor)
    throw new AdapterFailure('refused', false, 'The shop gives the same page again and again.')
  const problem = await whyNotOurs(context, shop.connection)
  if (problem !== undefined) throw new AdapterFailure('refused', false, problem)
  const changed = await takeAll(context, shop, orders)
  for (const one of unreadable) await takeNews(context, shop, { unreadable: one })
  const counted = {
    pullSeen: before.pullSeen + orders.length + unreadable.length,
    pullUnreadable: before.pullUnreadable + unreadable.length,
    pullChanged: before.pullChanged + changed,
    pullTotal: total ?? before.pullTotal,
  }
  return transaction(context.sql, async (tx) => {
    const now = await lockChannel(tx, id)
    // It was begun anew meanwhile.
    if (now.pullStartedAt !== before.pullStartedAt || now.pullCursor !== before.pullCursor) return true
    if (cursor !== null) {
      await updateChannel(tx, id, { ...counted, pullStatus: 'running', pullCursor: cursor })
      return true
    }
    await updateChannel(tx, id, {
      ...counted,
      pullStatus: 'done',
      pullCursor: null,
      pullMessage: null,
      pullFinishedAt: new Date().toISOString(),
      pulledUntil: untilWhenOf(now),
      ...(rereadMinutes !== undefined && { nextPullAt: nextOf(now, rereadMinutes) }),
    })
    await requestSettling(tx, id)
    return false
  })
}

/** A reading that began later than the last one ended leaves out what was between them: that is read yet. */
const untilWhenOf = ({ pullSince, pullStartedAt, pulledUntil }: ChannelRow): string =>
  pullStartedAt === null || (pullSince !== null && Date.parse(pullSince) > Date.parse(pulledUntil)) ? pulledUntil : pullStartedAt

/** What takes long is done more rarely. */
const nextOf = ({ pullStartedAt }: ChannelRow, minutes: number): string => {
  const took = pullStartedAt === null ? 0 : Date.now() - Date.parse(pullStartedAt)
  return new Date(Date.now() + Math.min(EVERY_MS, Math.max(minutes * 60_000, took * RESTS))).toISOString()
}

/** Some at a time; of what is told of one order, the oldest first. Says how many made or changed something here. */
async function takeAll(context: Context, shop: Shop, orders: readonly ExternalOrder[]): Promise<number> {
  const told = Map.groupBy(oldestFirst(orders), ({ externalId }) => externalId)
  const taken = await mapConcurrent([...told.values()], TAKEN_AT_ONCE, async (ofOne) => {
    let changed = 0
    for (const order of ofOne) if (moved.includes(await takeNews(context, shop, { order }))) changed += 1
    return changed
  })
  return taken.reduce((sum, changed) => sum + changed, 0)
}

const oldestFirst = <O extends { readonly updatedAt: string }>(orders: readonly O[]) =>
  orders.toSorted((a, b) => Date.parse(a.updatedAt) - Date.parse(b.updatedAt))

const again = ({ sql }: Context, connectionId: string, inMs: number) =>
  enqueue(
    sql,
    'channels.pull',
    { connectionId },
    { key: `channel:${connectionId}`, queue: `channel:${connectionId}`, runAt: new Date(Date.now() + inMs) },
  )

/**
 * A shop that does not answer is asked again soon, from where it stopped; one that lets nobody in, from there when it does; one that says no, for
 * what is new when it is time again.
 */
async function giveUp(context: Context, connectionId: string, failure: AdapterFailure): Promise<void> {
  const message = failure.message.slice(0, WORDS_MAX)
  const isOver = failure.reason === 'refused' || failure.reason === 'not_found'
  const isForGood = isOver || failure.reason === 'unauthorized'
  const status = { ...(isForGood && { pullStatus: 'failed' as const }), ...(isOver && { pullSince: null, pullCursor: null }) }
  await updateChannel(context.sql, connectionId, { pullMessage: message, ...status })
  if (isForGood) return
  await again(context, connectionId, Math.max(LATER_MS, (failure.upstream.retryAfterSeconds ?? 0) * 1000))
}
