import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { type Sql, type Tx, transaction } from '../../../data/sql.ts'
import { decimalText } from '../../../lib/money/decimal.ts'
import { emitWebhook } from '../../../platform/webhooks/emit.ts'
import { postPayoutLines, takePayoutBack } from '../../remittances/gateway-payouts.ts'
import { factsOf } from '../facts.ts'
import {
  holdBooks,
  listUnsettled,
  lockPayout,
  markReturned,
  notePosted,
  noteReversed,
  type PayoutRow,
  unmarkReturned,
} from '../payouts.queries.ts'
import { presentPayout } from '../present.ts'
import { isPlain, type Judged, judge } from './judge.ts'
import { type FoundLine, type LineRow, listUnsettledLines, noteLines, unsettleLines } from './lines.queries.ts'

const PAYOUTS_AT_ONCE = 50
const LINES_AT_ONCE = 500
/** Payments that a gateway is asked for again, of those that it says more of than we know. */
const ASKED_MAX = 50

/** Posts what arrived of a connection's payouts, looks again at what waits, and takes back what did not stay. Whether all of it was done. */
export async function settleUnsettled({ sql }: Context, connectionId: string, hasTime: () => boolean): Promise<boolean> {
  for (let after = ''; ; ) {
    const some = await listUnsettled(sql, connectionId, after, PAYOUTS_AT_ONCE)
    for (const { id } of some) {
      await settlePayout(sql, connectionId, id)
      if (!hasTime()) return false
    }
    if (some.length < PAYOUTS_AT_ONCE) return true
    after = some.at(-1)?.id ?? ''
  }
}

async function settlePayout(sql: Sql, connectionId: string, id: string): Promise<void> {
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after
    after = await transaction(sql, async (tx) => {
      await holdBooks(tx, connectionId)
      const payout = await lockPayout(tx, id)
      if (!payout?.complete) return null
      return payout.status === 'paid' ? settleSome(tx, payout, from) : unlessArrived(tx, payout)
    })
  }
}

/** It did not stay: what it posted is undone, and its payments are owed as before. */
async function unlessArrived(tx: Tx, payout: PayoutRow): Promise<null> {
  if (payout.state !== 'posted') return null
  const { id, projectId, connectionId } = payout
  await takePayoutBack(tx, { projectId, payoutId: id, at: new Date().toISOString() })
  await unsettleLines(tx, id)
  await unmarkReturned(tx, connectionId, id)
  await tell(tx, await noteReversed(tx, id))
  return null
}

/** Lines after this one; gives the last of them, where there are more. */
async function settleSome(tx: Tx, payout: PayoutRow, after: number): Promise<number | null> {
  const lines = await listUnsettledLines(tx, payout.id, after, LINES_AT_ONCE, false)
  const judged = await judgeLines(tx, payout, lines)
  await post(tx, payout, judged, judged.filter(isPlain), null)
  await askAgain(tx, payout, judged)
  const posted = await notePosted(tx, payout.id)
  if (lines.length === LINES_AT_ONCE) return lines.at(-1)?.line ?? null
  if (posted.waiting > 0 && payout.waiting === 0) await tell(tx, posted)
  return null
}

const tell = (tx: Tx, payout: PayoutRow) =>
  emitWebhook(tx, [
    {
      projectId: payout.projectId,
      storeId: payout.storeId,
      type: 'payout.needs_attention',
      data: { payout: presentPayout(payout) },
      orderKey: payout.id,
    },
  ])

/** What they come to by what is known now, each by what those before it took. */
export async function judgeLines(tx: Tx, payout: PayoutRow, lines: readonly LineRow[]): Promise<Judged[]> {
  const facts = await factsOf(tx, payout, lines)
  return lines.map((line) => {
    const judged = judge(line, facts)
    if (isPlain(judged) && judged.takes !== null) facts.taken.add(judged.takes)
    return judged
  })
}

/** Writes down what lines came to. What is settled is posted with it, and stands as long as the payout does. */
export async function post(
  tx: Tx,
  { id: payoutId, projectId, connectionId }: PayoutRow,
  judged: readonly Judged[],
  settled: readonly Judged[],
  reason: string | null,
): Promise<void> {
  const at = new Date().toISOString()
  const postings = settled.flatMap(({ line: { id }, posting }) => (posting === null ? [] : [{ id, posting }]))
  await postPayoutLines(tx, { projectId, connectionId, payoutId, at }, postings)
  const isSettled = new Set(settled)
  await noteLines(
    tx,
    payoutId,
    judged.map((one) => foundOf(one, isSettled.has(one) ? { at, reason } : null)),
  )
  const returned = settled.flatMap(({ line, takes }) => (line.kind === 'returned' && takes !== null ? takes : []))
  if (returned.length > 0) await markReturned(tx, returned, payoutId)
}

const foundOf = (
  { line, outcome, paymentId, refundId, expected, posting }: Judged,
  settled: { readonly at: string; readonly reason: string | null } | null,
): FoundLine => ({
  id: line.id,
  outcome,
  paymentId,
  refundId,
  expected: expected === null ? null : decimalText(expected),
  settledAt: settled?.at ?? null,
  stands: settled !== null,
  posted: settled && posting ? decimalText(posting.bank) : null,
  reason: settled?.reason ?? null,
})

/** The gateway says more of a payment than we know: it is asked what became of it. */
async function askAgain(tx: Tx, { connectionId, projectId }: PayoutRow, judged: readonly Judged[]): Promise<void> {
  const isLate = ({ outcome, line }: Judged) => outcome === 'not_done' || (outcome === 'unknown' && line.kind === 'refund')
  const late = new Set(judged.filter(isLate).flatMap(({ paymentId }) => paymentId ?? []))
  for (const paymentId of [...late].slice(0, ASKED_MAX))
    await enqueue(
      tx,
      'payments.read',
      { paymentId },
      { key: `payment:${paymentId}`, queue: `payments:${connectionId}:0`, owner: projectId, maxAttempts: 1 },
    )
}

/** What its lines will come to, of a payout that is under way or failed: nothing of it is posted. */
export async function foresee({ sql }: Context, id: string): Promise<void> {
  for (let more = true; more; )
    more = await transaction(sql, async (tx) => {
      const payout = await lockPayout(tx, id)
      if (!payout?.complete || payout.status === 'paid') return false
      const lines = await listUnsettledLines(tx, id, 0, LINES_AT_ONCE, true)
      await post(tx, payout, await judgeLines(tx, payout, lines), [], null)
      return lines.length === LINES_AT_ONCE
    })
}
