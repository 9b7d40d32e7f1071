import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { type Sql, type Tx, transaction } from '../../../data/sql.ts'
import { decimalText } from '../../../lib/money/decimal.ts'
import { emitWebhook } from '../../../platform/webhooks/emit.ts'
import { postPayoutLines, reverseGatewayPayout } from '../../ledger/entries/post-gateway-payouts.ts'
import {
  listPayoutsToPost,
  lockConnectionPayouts,
  lockPayout,
  markPayoutPosted,
  markPayoutReversed,
  markPayoutsReturned,
  type PayoutKey,
  type PayoutRow,
  type PayoutsOfConnection,
  unmarkPayoutsReturned,
} from '../payouts.queries.ts'
import { presentPayout } from '../present.ts'
import { loadReconciliationFacts } from '../reconciliation-facts.ts'
import { clearLineSettlements, listUnsettledLines, type PayoutLineResult, type PayoutLineRow, updateLineResults } from './lines.queries.ts'
import { canPostAutomatically, type ReconciledPayoutLine, reconcilePayoutLine } from './reconcile-line.ts'

const PAYOUTS_AT_ONCE = 50
const LINES_AT_ONCE = 500
/** Maximum number of payments to poll again, of those whose gateway knows more than we do. */
const POLLED_MAX = 50

/**
 * Posts payouts of a connection that arrived, reconciles waiting lines again, and reverses failed payouts. Returns whether all was done
 * before the time ran out.
 */
export async function postPayouts({ sql }: Context, of: PayoutsOfConnection, hasTime: () => boolean): Promise<boolean> {
  for (let after = ''; ; ) {
    const some = await listPayoutsToPost(sql, of, after, PAYOUTS_AT_ONCE)
    for (const payout of some) {
      await postPayout(sql, payout)
      if (!hasTime()) return false
    }
    if (some.length < PAYOUTS_AT_ONCE) return true
    after = some.at(-1)?.id ?? ''
  }
}

async function postPayout(sql: Sql, named: PayoutRow): Promise<void> {
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after
    after = await transaction(sql, async (tx) => {
      await lockConnectionPayouts(tx, named.connectionId)
      const payout = await lockPayout(tx, named)
      if (!payout?.complete) return null
      return payout.status === 'paid' ? postBatch(tx, payout, from) : reverseIfPosted(tx, payout)
    })
  }
}

/** Reverses a posted payout that is no longer paid: undoes its entries, so that its payments are owed again. */
async function reverseIfPosted(tx: Tx, payout: PayoutRow): Promise<null> {
  if (payout.state !== 'posted') return null
  const { id, projectId } = payout
  await reverseGatewayPayout(tx, { projectId, payoutId: id, at: new Date().toISOString() })
  await clearLineSettlements(tx, payout)
  await unmarkPayoutsReturned(tx, payout)
  await emitNeedsAttention(tx, await markPayoutReversed(tx, payout))
  return null
}

/** Posts a batch of lines after the line `after`. Returns the number of the last line if more remain, else null. */
async function postBatch(tx: Tx, payout: PayoutRow, after: number): Promise<number | null> {
  const lines = await listUnsettledLines(tx, payout, after, LINES_AT_ONCE, { isNew: false })
  const judged = await reconcileLines(tx, payout, lines)
  await recordLines(tx, payout, judged, judged.filter(canPostAutomatically), null)
  await enqueuePolls(tx, payout, judged)
  const posted = await markPayoutPosted(tx, payout)
  if (lines.length === LINES_AT_ONCE) return lines.at(-1)?.line ?? null
  if (posted.waiting > 0 && payout.waiting === 0) await emitNeedsAttention(tx, posted)
  return null
}

const emitNeedsAttention = (tx: Tx, payout: PayoutRow) =>
  emitWebhook(tx, [
    {
      projectId: payout.projectId,
      type: 'payout.needs_attention',
      data: { payout: presentPayout(payout) },
      orderKey: payout.id,
    },
  ])

/** Reconciles lines in order with current facts. Each line sees what the lines before it settled. */
export async function reconcileLines(tx: Tx, payout: PayoutRow, lines: readonly PayoutLineRow[]): Promise<ReconciledPayoutLine[]> {
  const facts = await loadReconciliationFacts(tx, payout, lines)
  return lines.map((line) => {
    const judged = reconcilePayoutLine(line, facts)
    if (canPostAutomatically(judged) && judged.takes !== null) facts.settledIds.add(judged.takes)
    return judged
  })
}

/** Records the results of lines. Posts the settled ones in the same transaction. */
export async function recordLines(
  tx: Tx,
  payout: PayoutRow,
  judged: readonly ReconciledPayoutLine[],
  settled: readonly ReconciledPayoutLine[],
  reason: string | null,
): Promise<void> {
  const { id: payoutId, projectId, connectionId } = payout
  const at = new Date().toISOString()
  const postings = settled.flatMap(({ line: { id }, posting }) => (posting === null ? [] : [{ id, posting }]))
  await postPayoutLines(tx, { projectId, connectionId, payoutId, at }, postings)
  const isSettled = new Set(settled)
  await updateLineResults(
    tx,
    payout,
    judged.map((one) => resultOf(one, isSettled.has(one) ? { at, reason } : null)),
  )
  const returned = settled.flatMap(({ line, takes }) => (line.kind === 'returned' && takes !== null ? takes : []))
  if (returned.length > 0) await markPayoutsReturned(tx, returned, payout)
}

const resultOf = (
  { line, outcome, paymentId, refundId, expected, posting }: ReconciledPayoutLine,
  settled: { readonly at: string; readonly reason: string | null } | null,
): PayoutLineResult => ({
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

/** Enqueues a poll of payments and refunds that the gateway paid out before we knew their outcome. */
async function enqueuePolls(tx: Tx, { connectionId, projectId }: PayoutRow, judged: readonly ReconciledPayoutLine[]): Promise<void> {
  const isLate = ({ outcome, line }: ReconciledPayoutLine) => outcome === 'not_done' || (outcome === 'unknown' && line.kind === 'refund')
  const late = new Set(judged.filter(isLate).flatMap(({ paymentId }) => paymentId ?? []))
  for (const paymentId of [...late].slice(0, POLLED_MAX))
    await enqueue(
      tx,
      'payments.poll',
      { paymentId },
      { key: `payment:${paymentId}`, queue: `payments:${connectionId}:0`, owner: projectId, maxAttempts: 1 },
    )
}

/** Reconciles the lines of a payout that is not paid, without posting anything. */
export async function previewPayout({ sql }: Context, named: PayoutKey): Promise<void> {
  for (let more = true; more; )
    more = await transaction(sql, async (tx) => {
      const payout = await lockPayout(tx, named)
      if (!payout?.complete || payout.status === 'paid') return false
      const lines = await listUnsettledLines(tx, payout, 0, LINES_AT_ONCE, { isNew: true })
      await recordLines(tx, payout, await reconcileLines(tx, payout, lines), [], null)
      return lines.length === LINES_AT_ONCE
    })
}
