import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { connectionIfOn } from '../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../integrations/egress/failure.ts'
import { readUnread } from './lines/read-lines.ts'
import { settleUnsettled } from './lines/settle.ts'
import { listPage, type PayingOut } from './list-page.ts'
import { claimDue, findPull, findSince, lockPull, noteConnections, type PullRow, updatePull, updateTurn } from './pulls.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'payouts.pullDue': Record<string, unknown>
    'payouts.pull': { connectionId: string }
  }
}

const AT_ONCE = 500
/** Gateways pay out once a day at most: each is looked at so often. */
const EVERY_MS = 6 * 3_600_000
const FIRST_RETRY_MS = 5 * 60_000
/** Whoever takes one and does not come back: another goes on by then. */
const PUT_OFF_SECONDS = 900
/** One job works for so long, then the next goes on: others have their turn in between. */
const SLICE_MS = 60_000
/** Some payouts fail days after they arrived, so what is young is asked for again. */
const LOOK_BACK_DAYS = 14
const WORDS_MAX = 500

/** The slugs of gateways that say what they pay out. */
export const payingOut = ({ plugins }: Pick<Context, 'plugins'>): string[] =>
  plugins.of('payment').flatMap(({ adapter }) => (adapter.payouts ? [adapter.slug] : []))

/** Begins with those whose turn it is. */
export async function pullDue(context: Context): Promise<void> {
  const { sql } = context
  await noteConnections(sql, payingOut(context))
  for (const { connectionId, projectId } of await claimDue(sql, AT_ONCE, PUT_OFF_SECONDS))
    await transaction(sql, (tx) => requestPull(tx, connectionId, projectId))
}

/** Has the payouts of a connection read. A reading that is under way goes on as it is. */
export async function requestPull(tx: Tx, connectionId: string, projectId: string): Promise<void> {
  const pull = await lockPull(tx, connectionId)
  if (!pull) return
  if (pull.status === 'done' || pull.status === 'failed') await begin(tx, pull)
  await enqueue(
    tx,
    'payouts.pull',
    { connectionId },
    { key: `payouts:${connectionId}`, queue: `payouts:${connectionId}`, owner: projectId },
  )
}

async function begin(tx: Tx, { connectionId, turn }: PullRow): Promise<void> {
  const since = await findSince(tx, connectionId, LOOK_BACK_DAYS)
  const begun = { turn: turn + 1, since, cursor: null, pages: 0, message: null, beganAt: new Date().toISOString() }
  // Where nobody has paid yet there is nothing to ask for.
  await updatePull(tx, connectionId, { ...begun, status: since === null ? 'reading' : 'listing' })
}

/**
 * Goes on with the reading of a connection's payouts, from where it stands: lists them, reads what they are made of, posts what arrived and takes
 * back what did not stay. Whoever takes over from a process that died asks for one page twice, which does no harm.
 */
export async function pullPayouts(context: Context, connectionId: string, signal?: AbortSignal): Promise<void> {
  const pull = await findPull(context.sql, connectionId)
  if (pull?.status !== 'listing' && pull?.status !== 'reading') return
  const connection = await connectionIfOn(context, 'payment', connectionId)
  const payouts = connection?.mounted.adapter.payouts
  if (!connection || !payouts) return giveUp(context, pull, 'The gateway is switched off, or says nothing of payouts.')
  try {
    const isDone = await work(context, { connection, payouts, ...(signal && { signal }) })
    if (isDone) await finish(context, pull)
    else await enqueueAgain(context, connectionId)
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error
    await giveUp(context, pull, error.message)
  }
}

/** Whether all of it is done. */
async function work(context: Context, from: PayingOut): Promise<boolean> {
  const end = Date.now() + SLICE_MS
  const hasTime = () => {
    from.signal?.throwIfAborted()
    return Date.now() < end
  }
  while (await listPage(context, from)) if (!hasTime()) return false
  return (await readUnread(context, from, hasTime)) && settleUnsettled(context, from.connection.row.id, hasTime)
}

const enqueueAgain = ({ sql }: Context, connectionId: string) =>
  enqueue(sql, 'payouts.pull', { connectionId }, { key: `payouts:${connectionId}`, queue: `payouts:${connectionId}` })

function finish({ sql }: Context, pull: PullRow) {
  const now = Date.now()
  const finishedAt = new Date(now).toISOString()
  const dueAt = new Date(now + EVERY_MS).toISOString()
  return updateTurn(sql, pull, { status: 'done', failures: 0, message: null, finishedAt, dueAt })
}

/** A gateway that is down is asked again ever more rarely. */
async function giveUp({ sql }: Context, pull: PullRow, words: string): Promise<void> {
  const wait = Math.min(EVERY_MS, FIRST_RETRY_MS * 2 ** Math.min(pull.failures, 10))
  const dueAt = new Date(Date.now() + wait).toISOString()
  await updateTurn(sql, pull, { status: 'failed', failures: pull.failures + 1, message: words.slice(0, WORDS_MAX), dueAt })
}
