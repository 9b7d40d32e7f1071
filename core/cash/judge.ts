import type { LineOutcome } from '../../plugins/carrier/segments.model.ts'
import type { Decimal } from '../lib/decimal.ts'
import type { MatchedLine } from './lines.queries.ts'
import { type Posting, paidPosting, strayPosting } from './posting.ts'

/** What a line comes to. */
export interface Judged {
  readonly matched: MatchedLine
  readonly outcome: LineOutcome
  /** Collected, as the payout says. */
  readonly amount: Decimal
  readonly fee: Decimal
  readonly net: Decimal
  /** What the carrier owed for it, before its fee. */
  readonly expected: Decimal
  readonly difference: Decimal
  /** What is posted for it; null where nothing is, since it was paid before. */
  readonly posting: Posting | null
}

/** Holds a line against what the ledger says of its parcel. What the payout leaves out follows from the fee that was known before. */
export function judge(matched: MatchedLine): Judged {
  const fee = matched.fee ?? matched.claim?.fees ?? 0n
  const amount = matched.amount ?? matched.net! + fee
  const net = matched.net ?? amount - fee
  const { outcome, expected } = matched.noted ?? outcomeOf(matched, amount)
  const posting = postingOf(matched, outcome, { amount, fee, net })
  return { matched, outcome, amount, fee, net, expected, difference: differenceOf(outcome, expected, amount, net), posting }
}

function outcomeOf({ parcel, claim, isPaid }: MatchedLine, amount: Decimal): { outcome: LineOutcome; expected: Decimal } {
  if (!parcel) return { outcome: 'unknown', expected: 0n }
  const expected = claim?.cod ?? 0n
  if (isPaid) return { outcome: 'paid_already', expected: 0n }
  if (parcel.status !== 'delivered') return { outcome: 'not_delivered', expected }
  if (amount === expected) return { outcome: 'matched', expected }
  return { outcome: amount < expected ? 'short' : 'excess', expected }
}

function postingOf({ parcel, claim }: MatchedLine, outcome: LineOutcome, line: { amount: Decimal; fee: Decimal; net: Decimal }) {
  if (outcome === 'paid_already') return null
  if (outcome === 'unknown') return strayPosting(line.net)
  // Delivered and nothing to collect: nothing was owed, whatever is paid.
  return paidPosting(line, claim ?? (parcel?.status === 'delivered' ? { carrier: 0n, fees: 0n } : null))
}

function differenceOf(outcome: LineOutcome, expected: Decimal, amount: Decimal, net: Decimal): Decimal {
  if (outcome === 'unknown') return -net
  return outcome === 'short' || outcome === 'excess' ? expected - amount : 0n
}
