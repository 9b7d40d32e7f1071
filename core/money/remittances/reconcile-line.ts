import type { LineOutcome } from '../../../plugins/carrier/cash.model.ts'
import { invariant } from '../../lib/invariant.ts'
import type { Decimal } from '../../lib/money/decimal.ts'
import { chargePosting, collectedAmount, deductionPosting, type Posting, paidPosting, unmatchedPosting } from '../ledger/entries/posting.ts'
import type { MatchedLine } from './match-lines.ts'

/** Line of a remittance, reconciled with the ledger. */
export interface ReconciledLine extends Money {
  readonly matched: MatchedLine
  readonly outcome: LineOutcome
  /** Cash on delivery that the carrier owed; negative for a deduction. */
  readonly expected: Decimal
  readonly difference: Decimal
  /** Payment that a `deducted` line cancels. */
  readonly takesBack: MatchedLine['payment']
  /** Amounts to post; null when the line was posted before or moves no money. */
  readonly posting: Posting | null
}

interface Money {
  /** Cash on delivery that the remittance states. */
  readonly amount: Decimal
  readonly fee: Decimal
  readonly net: Decimal
}

type Verdict = Pick<ReconciledLine, 'outcome' | 'expected'> & Partial<Pick<ReconciledLine, 'takesBack'>>

/**
 * Reconciles a line with its parcel, what the carrier owes and what was paid before. Uses the recorded outcome of a confirmed remittance.
 */
export function reconcileLine(matched: MatchedLine): ReconciledLine {
  const money = moneyOf(matched)
  const { outcome, expected, takesBack = null }: Verdict = matched.recorded ?? outcomeOf(matched, money)
  const posting = matched.recorded ? null : postingOf(matched, { outcome, takesBack }, money)
  return { matched, ...money, outcome, expected, difference: differenceOf(outcome, expected, money), takesBack, posting }
}

/** Fills in amounts that the line leaves out, from the fee of the delivery, or of the payment for a deduction. */
function moneyOf({ amount, fee: stated, net, claim, payment }: MatchedLine): Money {
  const mainAmount = invariant(amount ?? net, 'The amount or the net of a line')
  const refundedFee = payment && amount === null && isTakenBack(payment, mainAmount) ? -payment.statedFee : 0n
  const fee = stated ?? (mainAmount < 0n ? refundedFee : (claim?.fees ?? 0n))
  const collected = amount ?? mainAmount + fee
  return { amount: collected, fee, net: net ?? collected - fee }
}

/** Distinguishes a deduction, which cancels the whole amount received, from a smaller charge. */
const isTakenBack = ({ bank }: { bank: Decimal }, amount: Decimal) => amount < 0n && -amount >= bank

function outcomeOf(matched: MatchedLine, money: Money): Verdict {
  const { parcel, claim, payment, isNamedBefore } = matched
  if (!parcel) return { outcome: 'unknown', expected: 0n }
  if (isNamedBefore) return { outcome: 'paid_already', expected: 0n }
  if (payment && isTakenBack(payment, money.amount)) return { outcome: 'deducted', expected: -collectedAmount(payment), takesBack: payment }
  const isDelivered = parcel.status === 'delivered'
  if (money.amount < 0n || (money.amount === 0n && (payment || !isDelivered)))
    return { outcome: chargeOutcome(matched, money), expected: 0n }
  if (payment) return { outcome: 'paid_already', expected: 0n }
  const expected = claim?.cod ?? 0n
  if (!isDelivered) return { outcome: 'not_delivered', expected }
  if (money.amount === expected) return { outcome: 'matched', expected }
  return { outcome: money.amount < expected ? 'short' : 'excess', expected }
}

/** Returns the outcome of a line that pays nothing. */
function chargeOutcome({ payment, isCharged, isDeducted }: MatchedLine, { amount, net }: Money): LineOutcome {
  if (net === 0n) return payment ? 'paid_already' : 'not_delivered'
  return isCharged || (amount < 0n && !payment && isDeducted) ? 'paid_already' : 'charged'
}

function postingOf(
  { parcel, claim }: MatchedLine,
  { outcome, takesBack }: Pick<ReconciledLine, 'outcome' | 'takesBack'>,
  money: Money,
): Posting | null {
  if (outcome === 'paid_already') return null
  if (outcome === 'unknown') return unmatchedPosting(money.net)
  if (takesBack) return deductionPosting(money, takesBack)
  if (outcome === 'charged') return chargePosting(money)
  if (outcome === 'not_delivered' && money.amount === 0n) return null
  // A delivered parcel without cash on delivery had no claim, so the whole amount is a difference.
  return paidPosting(money, claim ?? (parcel?.status === 'delivered' ? { carrier: 0n, fees: 0n } : null))
}

const asExpected: readonly LineOutcome[] = ['matched', 'paid_already', 'not_delivered']

function differenceOf(outcome: LineOutcome, expected: Decimal, { amount, net }: Money): Decimal {
  if (outcome === 'unknown') return -net
  return asExpected.includes(outcome) ? 0n : expected - amount
}
