import type { LineOutcome } from '../../../../plugins/carrier/cash.model.ts'
import type { Decimal } from '../../../lib/money/decimal.ts'

/** Outcomes of lines that pay their parcel. */
export const payingOutcomes = ['matched', 'short', 'excess', 'not_delivered'] as const satisfies readonly LineOutcome[]

/** Amounts that an entry posts on the accounts of a connection. They sum to zero. */
export interface Posting {
  /** Receivable: what the carrier, or the gateway, owes us. */
  readonly carrier: Decimal
  /** Sales collected for us, negative. */
  readonly sales: Decimal
  /** Fees that the carrier, or the gateway, deducted. */
  readonly fees: Decimal
  /** Money that arrived at the bank. */
  readonly bank: Decimal
  /** Amount that was short; negative when it was too much. */
  readonly difference: Decimal
}

const nothing: Posting = { carrier: 0n, sales: 0n, fees: 0n, bank: 0n, difference: 0n }

/** Amounts that a remittance posted when it paid a parcel, possibly in advance of the delivery. */
export interface ParcelPayment {
  readonly carrier: Decimal
  readonly fees: Decimal
  /** Fee that the remittance stated. */
  readonly statedFee: Decimal
}

/**
 * Returns the posting of a delivery: the carrier owes the cash on delivery less its fee. For a parcel paid in advance, the claim equals
 * that payment, fees reach the stated fee, and the rest is a difference.
 */
export function deliveredPosting(cod: Decimal, fee: Decimal, advance?: ParcelPayment): Posting {
  if (!advance) return { ...nothing, carrier: cod - fee, sales: -cod, fees: fee }
  const fees = knownFee(advance)
  const carrier = -advance.carrier
  return { ...nothing, carrier, sales: -cod, fees, difference: cod - fees - carrier }
}

/** Amounts of a delivered parcel in the ledger: cash on delivery, what the carrier owes of it, and its fees. */
export interface CarrierClaim {
  readonly cod: Decimal
  readonly carrier: Decimal
  readonly fees: Decimal
}

/**
 * Returns the posting of a line that pays a parcel. It clears the whole claim, corrects fees to the stated fee, and posts the rest as a
 * difference. Without a claim the payment is in advance, so the receivable becomes negative until the delivery.
 */
export function paidPosting(
  line: { amount: Decimal; fee: Decimal; net: Decimal },
  claim: Pick<CarrierClaim, 'carrier' | 'fees'> | null,
): Posting {
  const { carrier, fees: known } = claim ?? { carrier: line.amount, fees: 0n }
  const fees = line.fee - known
  return { ...nothing, carrier: -carrier, fees, bank: line.net, difference: carrier - fees - line.net }
}

/**
 * Returns the posting of a deduction, which cancels a payment. It restores the payment's claim, sets fees to the sum of both lines, and
 * posts the rest as a difference.
 */
export function deductionPosting(line: { fee: Decimal; net: Decimal }, payment: ParcelPayment): Posting {
  const carrier = -payment.carrier
  const fees = line.fee + knownFee(payment)
  return { ...nothing, carrier, fees, bank: line.net, difference: -(carrier + fees + line.net) }
}

/** Fee that the claim already included when it was paid. */
const knownFee = ({ statedFee, fees }: ParcelPayment): Decimal => statedFee - fees

/** Returns the cash on delivery of a parcel that a remittance paid. */
export const collectedAmount = (payment: ParcelPayment): Decimal => knownFee(payment) - payment.carrier

/** Returns the posting of a charge for a parcel that pays nothing. The amount that is not a fee is a difference. */
export const chargePosting = (line: { amount: Decimal; fee: Decimal; net: Decimal }): Posting =>
  paidPosting(line, { carrier: 0n, fees: 0n })

/** Returns the posting of money for a parcel that is not ours: it arrived without a claim, so all of it is a difference. */
export const unmatchedPosting = (net: Decimal): Posting => ({ ...nothing, bank: net, difference: -net })
