import { type Decimal, decimal } from '../../../lib/money/decimal.ts'
import { chargePosting, type Posting, paidPosting, unmatchedPosting } from '../../ledger/entries/posting.ts'
import type { PayoutLineKind, PayoutOutcome } from '../payouts.model.ts'
import type { ReconciliationFacts } from '../reconciliation-facts.ts'
import type { PaymentFact, PayoutLineRow } from './lines.queries.ts'

/** Payout line, reconciled with the payment, refund or payout that it refers to. */
export interface ReconciledPayoutLine {
  readonly line: PayoutLineRow
  readonly outcome: PayoutOutcome
  readonly paymentId: string | null
  readonly refundId: string | null
  /** Expected amount before the fee; null if unknown. */
  readonly expected: Decimal | null
  /** Amounts to post when the line is settled; null if nothing of it can be posted. */
  readonly posting: Posting | null
  /** Id of the payment, refund or failed payout that the line settles exclusively. */
  readonly takes: string | null
}

type Verdict = Pick<ReconciledPayoutLine, 'outcome'> & Partial<Omit<ReconciledPayoutLine, 'line' | 'outcome'>>

/** Returns whether a line can be posted automatically; all other outcomes wait for review. */
export const canPostAutomatically = ({ outcome }: Pick<ReconciledPayoutLine, 'outcome'>) => outcome === 'matched' || outcome === 'fee'

/** Reconciles a line with the facts about what it refers to. */
export function reconcilePayoutLine(line: PayoutLineRow, facts: ReconciliationFacts): ReconciledPayoutLine {
  const verdict = rules[line.kind](line, facts)
  return { line, paymentId: null, refundId: null, expected: null, posting: null, takes: null, ...verdict }
}

interface Money {
  /** Amount before the fee. */
  readonly amount: Decimal
  readonly fee: Decimal
  readonly net: Decimal
}
const moneyOf = ({ gross, fee, net }: PayoutLineRow): Money => ({ amount: decimal(gross), fee: decimal(fee), net: decimal(net) })

/** Returns the posting of money that moves from the gateway to the bank without settling anything else. */
const transferPosting = ({ fee, net }: Money): Posting => ({ carrier: -net - fee, sales: 0n, fees: fee, bank: net, difference: 0n })

/** Returns null for money in another currency than the ledger's, which cannot be posted. */
const postableInLedger = (line: PayoutLineRow, { currency }: ReconciliationFacts, posting: Posting) =>
  line.currency === currency ? posting : null
const unmatchedPostingOf = (line: PayoutLineRow, facts: ReconciliationFacts) =>
  postableInLedger(line, facts, unmatchedPosting(moneyOf(line).net))

const rules: Readonly<Record<PayoutLineKind, (line: PayoutLineRow, facts: ReconciliationFacts) => Verdict>> = {
  payment: reconcilePayment,
  refund: reconcileRefund,
  fee(line, facts) {
    const { net } = moneyOf(line)
    if (line.currency !== facts.currency) return { outcome: 'other_currency' }
    return { outcome: 'fee', posting: { carrier: 0n, sales: 0n, fees: -net, bank: net, difference: 0n } }
  },
  dispute: reconcileUnexpected,
  adjustment: reconcileUnexpected,
  returned: reconcileReturned,
  untold: (line, facts) => ({ outcome: 'unexpected', posting: postableInLedger(line, facts, transferPosting(moneyOf(line))) }),
}

function reconcileUnexpected(line: PayoutLineRow, facts: ReconciliationFacts): Verdict {
  return {
    outcome: 'unexpected',
    paymentId: facts.paymentOf(line)?.id ?? null,
    posting: postableInLedger(line, facts, chargePosting(moneyOf(line))),
  }
}

/** Returns the gateway's debt for a payment from the ledger; null if it is not known to be paid. */
function claimOfPayment({ carrier, sales, fees }: PaymentFact) {
  return carrier === null || sales === null || fees === null
    ? null
    : { carrier: decimal(carrier), cod: -decimal(sales), fees: decimal(fees) }
}

function reconcilePayment(line: PayoutLineRow, facts: ReconciliationFacts): Verdict {
  const payment = facts.paymentOf(line)
  if (!payment) return { outcome: 'unknown', posting: unmatchedPostingOf(line, facts) }
  const paymentId = payment.id
  const claim = claimOfPayment(payment)
  if (!claim) return { outcome: 'not_done', paymentId }
  const expected = claim.cod
  if (facts.settledIds.has(paymentId)) return { outcome: 'paid_already', paymentId, expected: 0n, posting: unmatchedPostingOf(line, facts) }
  const of = { paymentId, expected, takes: paymentId }
  // The ledger clears exactly the claim, because the amount is in another currency.
  if (line.currency !== payment.currency)
    return { ...of, outcome: 'other_currency', posting: paidPosting({ amount: expected, fee: claim.fees, net: claim.carrier }, claim) }
  const money = moneyOf(line)
  return { ...of, outcome: money.amount === expected ? 'matched' : 'differs', posting: paidPosting(money, claim) }
}

function reconcileRefund(line: PayoutLineRow, facts: ReconciliationFacts): Verdict {
  const payment = facts.paymentOf(line)
  const refund = facts.refundOf(line, payment)
  if (!refund) return { outcome: 'unknown', paymentId: payment?.id ?? null, posting: unmatchedPostingOf(line, facts) }
  const { id: refundId, paymentId } = refund
  // The refund was paid and returned: after review the gateway owes neither amount.
  if (refund.isFailed)
    return { outcome: 'unexpected', paymentId, refundId, posting: postableInLedger(line, facts, transferPosting(moneyOf(line))) }
  if (!refund.isDone || decimal(line.gross) > 0n) return { outcome: 'not_done', paymentId, refundId }
  if (facts.settledIds.has(refundId))
    return { outcome: 'paid_already', paymentId, refundId, expected: 0n, posting: unmatchedPostingOf(line, facts) }
  const expected = -decimal(refund.amount)
  const [claim, of] = [
    { carrier: expected, fees: 0n },
    { paymentId, refundId, expected, takes: refundId },
  ]
  if (line.currency !== refund.currency)
    return { ...of, outcome: 'other_currency', posting: paidPosting({ amount: expected, fee: 0n, net: expected }, claim) }
  const money = moneyOf(line)
  return { ...of, outcome: money.amount === expected ? 'matched' : 'differs', posting: paidPosting(money, claim) }
}

/** Reconciles a line that returns the money of a failed payout with this payout. */
function reconcileReturned(line: PayoutLineRow, facts: ReconciliationFacts): Verdict {
  const money = moneyOf(line)
  const payout = facts.payoutOf(line)
  const isBack = payout !== undefined && (payout.status === 'failed' || payout.status === 'cancelled')
  const expected = isBack ? decimal(payout.amount) : null
  const isFree = isBack && !facts.settledIds.has(payout.id) && (payout.returnedBy === null || payout.returnedBy === line.payoutId)
  const posting = postableInLedger(line, facts, transferPosting(money))
  if (!isFree || money.amount !== expected || posting === null) return { outcome: 'unexpected', expected, posting }
  return { outcome: 'matched', expected, posting, takes: payout.id }
}
