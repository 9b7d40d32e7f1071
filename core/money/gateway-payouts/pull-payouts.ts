import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { findEnabledConnection } from '../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../integrations/egress/adapter-failure.ts'
import { postPayouts } from './lines/post-payouts.ts'
import { readUnreadPayouts } from './lines/read-lines.ts'
import { type PayoutSource, pullPayoutPage } from './pull-page.ts'
import {
  claimDuePulls,
  findPullOfConnection,
  findPullStart,
  insertMissingPulls,
  lockPull,
  type PullKey,
  type PullRow,
  updateCurrentPull,
  updatePull,
} from './pulls.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'payouts.pullDue': Record<string, unknown>
    'payouts.pull': { connectionId: string }
  }
}

const BATCH = 500
/** Interval between two pulls of a connection. Gateways pay out at most once a day. */
const EVERY_MS = 6 * 3_600_000
const FIRST_RETRY_MS = 5 * 60_000
/** Delay after which another worker may claim a pull whose worker died. */
const PUT_OFF_SECONDS = 900
/** Maximum run time of one job before it enqueues the next one, so that other jobs can run. */
const SLICE_MS = 60_000
/** Number of days to pull again, because some payouts fail days after they arrived. */
const LOOK_BACK_DAYS = 14
const MESSAGE_MAX = 500

/** Returns the slugs of gateways that report payouts. */
export const payoutGateways = ({ plugins }: Pick<Context, 'plugins'>): string[] =>
  plugins.of('payment').flatMap(({ adapter }) => (adapter.payouts ? [adapter.slug] : []))

/** Enqueues the pulls of connections that are due. */
export async function enqueueDuePulls(context: Context): Promise<void> {
  const { sql } = context
  await insertMissingPulls(sql, payoutGateways(context))
  for (const { connectionId, projectId } of await claimDuePulls(sql, BATCH, PUT_OFF_SECONDS))
    await transaction(sql, (tx) => requestPull(tx, { projectId, connectionId }))
}

/**
 * Starts a pull of a connection's payouts and enqueues its job. A pull in progress continues. Does nothing if the connection has no pull
 * row.
 */
export async function requestPull(tx: Tx, key: PullKey): Promise<void> {
  const { projectId, connectionId } = key
  const pull = await lockPull(tx, key)
  if (!pull) return
  if (pull.status === 'done' || pull.status === 'failed') await beginPull(tx, pull)
  await enqueue(
    tx,
    'payouts.pull',
    { connectionId },
    { key: `payouts:${connectionId}`, queue: `payouts:${connectionId}`, owner: projectId },
  )
}

async function beginPull(tx: Tx, pull: PullRow): Promise<void> {
  const since = await findPullStart(tx, pull, LOOK_BACK_DAYS)
  const initialState = { turn: pull.turn + 1, since, cursor: null, pages: 0, message: null, beganAt: new Date().toISOString() }
  // Without any payment there is nothing to list.
  await updatePull(tx, pull, { ...initialState, status: since === null ? 'reading' : 'listing' })
}

/**
 * Continues the pull of a connection: lists payouts, reads their lines, posts those that arrived and reverses those that failed. It is safe
 * to resume after a crash, because a page that is read twice changes nothing.
 */
export async function pullPayouts(context: Context, connectionId: string, signal?: AbortSignal): Promise<void> {
  const pull = await findPullOfConnection(context.sql, connectionId)
  if (pull?.status !== 'listing' && pull?.status !== 'reading') return
  const connection = await findEnabledConnection(context, 'payment', connectionId)
  const payouts = connection?.mounted.adapter.payouts
  if (!connection || !payouts) return failPull(context, pull, 'The gateway is switched off or does not report payouts.')
  try {
    const isDone = await runPull(context, { connection, payouts, ...(signal && { signal }) })
    if (isDone) await finishPull(context, pull)
    else await enqueueNext(context, connectionId)
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error
    await failPull(context, pull, error.message)
  }
}

/** Returns whether the pull is complete. Stops early when the time slice ends. */
async function runPull(context: Context, from: PayoutSource): Promise<boolean> {
  const end = Date.now() + SLICE_MS
  const hasTime = () => {
    from.signal?.throwIfAborted()
    return Date.now() < end
  }
  while (await pullPayoutPage(context, from)) if (!hasTime()) return false
  const { id: connectionId, projectId } = from.connection.row
  return (await readUnreadPayouts(context, from, hasTime)) && postPayouts(context, { projectId, connectionId }, hasTime)
}

const enqueueNext = ({ sql }: Context, connectionId: string) =>
  enqueue(sql, 'payouts.pull', { connectionId }, { key: `payouts:${connectionId}`, queue: `payouts:${connectionId}` })

function finishPull({ sql }: Context, pull: PullRow) {
  const now = Date.now()
  const finishedAt = new Date(now).toISOString()
  const dueAt = new Date(now + EVERY_MS).toISOString()
  return updateCurrentPull(sql, pull, { status: 'done', failures: 0, message: null, finishedAt, dueAt })
}

/** Records a failed pull and schedules the next attempt with exponential backoff. */
async function failPull({ sql }: Context, pull: PullRow, reason: string): Promise<void> {
  const wait = Math.min(EVERY_MS, FIRST_RETRY_MS * 2 ** Math.min(pull.failures, 10))
  const dueAt = new Date(Date.now() + wait).toISOString()
  await updateCurrentPull(sql, pull, { status: 'failed', failures: pull.failures + 1, message: reason.slice(0, MESSAGE_MAX), dueAt })
}
