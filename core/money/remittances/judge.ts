import type { LineOutcome } from '../../../plugins/carrier/segments.model.ts'
import { invariant } from '../../lib/invariant.ts'
import type { Decimal } from '../../lib/money/decimal.ts'
import type { MatchedLine } from './lines.queries.ts'
import { chargePosting, collectedOf, type Posting, paidPosting, strayPosting, takenBackPosting } from './posting.ts'

/** What a line comes to. */
export interface Judged extends Money {
  readonly matched: MatchedLine
  readonly outcome: LineOutcome
  /** What the carrier owed for it, before its fee; below zero: what it paid, and takes back. */
  readonly expected: Decimal
  readonly difference: Decimal
  /** The payment that it takes back, where it is `deducted` now. */
  readonly takesBack: MatchedLine['payment']
  /** What is posted for it; null where nothing is, since it was posted before or says nothing. */
  readonly posting: Posting | null
}

interface Money {
  /** Collected, as the payout says. */
  readonly amount: Decimal
  readonly fee: Decimal
  readonly net: Decimal
}

type Verdict = Pick<Judged, 'outcome' | 'expected'> & Partial<Pick<Judged, 'takesBack'>>

/** Holds a line against what the ledger says of its parcel. */
export function judge(matched: MatchedLine): Judged {
  const money = moneyOf(matched)
  const { outcome, expected, takesBack = null }: Verdict = matched.noted ?? outcomeOf(matched, money)
  const posting = matched.noted ? null : postingOf(matched, { outcome, takesBack }, money)
  return { matched, ...money, outcome, expected, difference: differenceOf(outcome, expected, money), takesBack, posting }
}

/** What the payout leaves out follows from the fee that was known before. A net that is taken back is of what was paid, fee and all. */
function moneyOf({ amount, fee: stated, net, claim, payment }: MatchedLine): Money {
  const said = invariant(amount ?? net, 'The amount or the net of a line')
  const given = payment && amount === null && isTakenBack(payment, said) ? -payment.statedFee : 0n
  const fee = stated ?? (said < 0n ? given : (claim?.fees ?? 0n))
  const collected = amount ?? said + fee
  return { amount: collected, fee, net: net ?? collected - fee }
}

/** Whether so much is deducted that the payment is taken back; less than arrived of it is a charge. */
const isTakenBack = ({ bank }: { bank: Decimal }, amount: Decimal) => amount < 0n && -amount >= bank

function outcomeOf(matched: MatchedLine, money: Money): Verdict {
  const { parcel, claim, payment, isNamedBefore } = matched
  if (!parcel) return { outcome: 'unknown', expected: 0n }
  if (isNamedBefore) return { outcome: 'paid_already', expected: 0n }
  if (payment && isTakenBack(payment, money.amount)) return { outcome: 'deducted', expected: -collectedOf(payment), takesBack: payment }
  const isDelivered = parcel.status === 'delivered'
  if (money.amount < 0n || (money.amount === 0n && (payment || !isDelivered)))
    return { outcome: chargeOutcome(matched, money), expected: 0n }
  if (payment) return { outcome: 'paid_already', expected: 0n }
  const expected = claim?.cod ?? 0n
  if (!isDelivered) return { outcome: 'not_delivered', expected }
  if (money.amount === expected) return { outcome: 'matched', expected }
  return { outcome: money.amount < expected ? 'short' : 'excess', expected }
}

/** Of a line that pays nothing. */
function chargeOutcome({ payment, isCharged, isDeducted }: MatchedLine, { amount, net }: Money): LineOutcome {
  if (net === 0n) return payment ? 'paid_already' : 'not_delivered'
  return isCharged || (amount < 0n && !payment && isDeducted) ? 'paid_already' : 'charged'
}

function postingOf(
  { parcel, claim }: MatchedLine,
  { outcome, takesBack }: Pick<Judged, 'outcome' | 'takesBack'>,
  money: Money,
): Posting | null {
  if (outcome === 'paid_already') return null
  if (outcome === 'unknown') return strayPosting(money.net)
  if (takesBack) return takenBackPosting(money, takesBack)
  if (outcome === 'charged') return chargePosting(money)
  if (outcome === 'not_delivered' && money.amount === 0n) return null
  // Delivered and nothing to collect: nothing was owed, whatever is paid.
  return paidPosting(money, claim ?? (parcel?.status === 'delivered' ? { carrier: 0n, fees: 0n } : null))
}

const asExpected: readonly LineOutcome[] = ['matched', 'paid_already', 'not_delivered']

function differenceOf(outcome: LineOutcome, expected: Decimal, { amount, net }: Money): Decimal {
  if (outcome === 'unknown') return -net
  return asExpected.includes(outcome) ? 0n : expected - amount
}
