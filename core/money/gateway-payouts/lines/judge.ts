import { type Decimal, decimal } from '../../../lib/money/decimal.ts'
import { chargePosting, type Posting, paidPosting, strayPosting } from '../../remittances/posting.ts'
import type { Facts } from '../facts.ts'
import type { LineKind, PayoutOutcome } from '../payouts.model.ts'
import type { LineRow, PaymentFact } from './lines.queries.ts'

/** What a line comes to. */
export interface Judged {
  readonly line: LineRow
  readonly outcome: PayoutOutcome
  readonly paymentId: string | null
  readonly refundId: string | null
  /** Before its fee. */
  readonly expected: Decimal | null
  /** What it moves, once it is settled; null where nothing of it can stand in the ledger. */
  readonly posting: Posting | null
  /** What it settles, and nothing else does any more: a payment, a refund, a payout that failed. */
  readonly takes: string | null
}

type Verdict = Pick<Judged, 'outcome'> & Partial<Omit<Judged, 'line' | 'outcome'>>

/** A line stands in the ledger by itself; all else waits for a person. */
export const isPlain = ({ outcome }: Pick<Judged, 'outcome'>) => outcome === 'matched' || outcome === 'fee'

/** Holds a line against what is known of what it names. */
export function judge(line: LineRow, facts: Facts): Judged {
  const verdict = rules[line.kind](line, facts)
  return { line, paymentId: null, refundId: null, expected: null, posting: null, takes: null, ...verdict }
}

interface Money {
  /** Before the fee. */
  readonly amount: Decimal
  readonly fee: Decimal
  readonly net: Decimal
}
const moneyOf = ({ gross, fee, net }: LineRow): Money => ({ amount: decimal(gross), fee: decimal(fee), net: decimal(net) })

/** What moves from the gateway to the bank and settles nothing else. */
const movedPosting = ({ fee, net }: Money): Posting => ({ carrier: -net - fee, sales: 0n, fees: fee, bank: net, difference: 0n })

/** Money of another currency than the ledger's has no place in it. */
const unlessForeign = (line: LineRow, { currency }: Facts, posting: Posting) => (line.currency === currency ? posting : null)
const stray = (line: LineRow, facts: Facts) => unlessForeign(line, facts, strayPosting(moneyOf(line).net))

const rules: Readonly<Record<LineKind, (line: LineRow, facts: Facts) => Verdict>> = {
  payment: ofPayment,
  refund: ofRefund,
  fee(line, facts) {
    const { net } = moneyOf(line)
    if (line.currency !== facts.currency) return { outcome: 'other_currency' }
    return { outcome: 'fee', posting: { carrier: 0n, sales: 0n, fees: -net, bank: net, difference: 0n } }
  },
  dispute: unexpected,
  adjustment: unexpected,
  returned: ofReturned,
  untold: (line, facts) => ({ outcome: 'unexpected', posting: unlessForeign(line, facts, movedPosting(moneyOf(line))) }),
}

function unexpected(line: LineRow, facts: Facts): Verdict {
  return {
    outcome: 'unexpected',
    paymentId: facts.paymentOf(line)?.id ?? null,
    posting: unlessForeign(line, facts, chargePosting(moneyOf(line))),
  }
}

/** What the ledger has of it: nothing, where it is not known to be paid. */
function claimOf({ carrier, sales, fees }: PaymentFact) {
  return carrier === null || sales === null || fees === null
    ? null
    : { carrier: decimal(carrier), cod: -decimal(sales), fees: decimal(fees) }
}

function ofPayment(line: LineRow, facts: Facts): Verdict {
  const payment = facts.paymentOf(line)
  if (!payment) return { outcome: 'unknown', posting: stray(line, facts) }
  const paymentId = payment.id
  const claim = claimOf(payment)
  if (!claim) return { outcome: 'not_done', paymentId }
  const expected = claim.cod
  if (facts.taken.has(paymentId)) return { outcome: 'paid_already', paymentId, expected: 0n, posting: stray(line, facts) }
  const of = { paymentId, expected, takes: paymentId }
  // As far as the ledger goes it is settled as it was owed.
  if (line.currency !== payment.currency)
    return { ...of, outcome: 'other_currency', posting: paidPosting({ amount: expected, fee: claim.fees, net: claim.carrier }, claim) }
  const money = moneyOf(line)
  return { ...of, outcome: money.amount === expected ? 'matched' : 'differs', posting: paidPosting(money, claim) }
}

function ofRefund(line: LineRow, facts: Facts): Verdict {
  const payment = facts.paymentOf(line)
  const refund = facts.refundOf(line, payment)
  if (!refund) return { outcome: 'unknown', paymentId: payment?.id ?? null, posting: stray(line, facts) }
  const { id: refundId, paymentId } = refund
  // It went and came back: a person says so, and the gateway owes neither.
  if (refund.isFailed)
    return { outcome: 'unexpected', paymentId, refundId, posting: unlessForeign(line, facts, movedPosting(moneyOf(line))) }
  if (!refund.isDone || decimal(line.gross) > 0n) return { outcome: 'not_done', paymentId, refundId }
  if (facts.taken.has(refundId)) return { outcome: 'paid_already', paymentId, refundId, expected: 0n, posting: stray(line, facts) }
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

/** The gateway has the money of a payout that failed, and sends it with this one. */
function ofReturned(line: LineRow, facts: Facts): Verdict {
  const money = moneyOf(line)
  const payout = facts.payoutOf(line)
  const isBack = payout !== undefined && (payout.status === 'failed' || payout.status === 'cancelled')
  const expected = isBack ? decimal(payout.amount) : null
  const isFree = isBack && !facts.taken.has(payout.id) && (payout.returnedBy === null || payout.returnedBy === line.payoutId)
  const posting = unlessForeign(line, facts, movedPosting(money))
  if (!isFree || money.amount !== expected || posting === null) return { outcome: 'unexpected', expected, posting }
  return { outcome: 'matched', expected, posting, takes: payout.id }
}
