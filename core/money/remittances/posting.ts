import type { LineOutcome } from '../../../plugins/carrier/segments.model.ts'
import type { Decimal } from '../../lib/money/decimal.ts'

/** Of lines that pay their parcel. */
export const payingOutcomes = ['matched', 'short', 'excess', 'not_delivered'] as const satisfies readonly LineOutcome[]

/** What an entry moves on each account of a connection; it comes to zero. */
export interface Posting {
  /** What the carrier owes us. */
  readonly carrier: Decimal
  /** What was collected for us, negative. */
  readonly sales: Decimal
  /** What the carrier kept. */
  readonly fees: Decimal
  /** What arrived. */
  readonly bank: Decimal
  /** What was short, or negative: too much. */
  readonly difference: Decimal
}

const nothing: Posting = { carrier: 0n, sales: 0n, fees: 0n, bank: 0n, difference: 0n }

/** What a payout posted for a parcel that it paid: in advance, where the parcel was, or was again, delivered later. */
export interface Payment {
  readonly carrier: Decimal
  readonly fees: Decimal
  /** The fee that the payout stated. */
  readonly statedFee: Decimal
}

/**
 * A parcel is delivered: the carrier owes what it collected less its fee. Where a payout has paid it already, the claim is exactly
 * what that payout took for it, the fees come to what it stated, and what it lacked is a difference.
 */
export function deliveredPosting(cod: Decimal, fee: Decimal, advance?: Payment): Posting {
  if (!advance) return { ...nothing, carrier: cod - fee, sales: -cod, fees: fee }
  const fees = knownFee(advance)
  const carrier = -advance.carrier
  return { ...nothing, carrier, sales: -cod, fees, difference: cod - fees - carrier }
}

/** What a delivered parcel stands for in the ledger. */
export interface Claim {
  readonly cod: Decimal
  readonly carrier: Decimal
  readonly fees: Decimal
}

/**
 * A payout pays a parcel: `net` arrives, the whole claim is settled, fees become what the payout says, and the rest is a difference.
 * Without a claim it is paid in advance, and the carrier's debt goes below zero until the delivery is known.
 */
export function paidPosting(line: { amount: Decimal; fee: Decimal; net: Decimal }, claim: Pick<Claim, 'carrier' | 'fees'> | null): Posting {
  const { carrier, fees: known } = claim ?? { carrier: line.amount, fees: 0n }
  const fees = line.fee - known
  return { ...nothing, carrier: -carrier, fees, bank: line.net, difference: carrier - fees - line.net }
}

/**
 * A carrier takes back what it paid for a parcel: the payment's claim stands as before, fees become what both lines say together, and
 * what was deducted too much or too little is a difference.
 */
export function takenBackPosting(line: { fee: Decimal; net: Decimal }, payment: Payment): Posting {
  const carrier = -payment.carrier
  const fees = line.fee + knownFee(payment)
  return { ...nothing, carrier, fees, bank: line.net, difference: -(carrier + fees + line.net) }
}

/** What the claim lacked already when it was paid. */
const knownFee = ({ statedFee, fees }: Payment): Decimal => statedFee - fees

/** What was collected of a parcel that a payout paid. */
export const collectedOf = (payment: Payment): Decimal => knownFee(payment) - payment.carrier

/** What a carrier takes for a parcel that brings nothing: fees, and what it does not call a fee is a difference. */
export const chargePosting = (line: { amount: Decimal; fee: Decimal; net: Decimal }): Posting =>
  paidPosting(line, { carrier: 0n, fees: 0n })

/** Money for a parcel that is not ours: it arrived, and nobody owed it. */
export const strayPosting = (net: Decimal): Posting => ({ ...nothing, bank: net, difference: -net })
