import { type Decimal, parseDecimal } from '../../../lib/money/decimal.ts'

/** Largest amount of one parcel, in the major unit. Sums of tens of thousands of parcels still fit a JSON number exactly. */
export const LINE_AMOUNT_MAX = 1e9
const PLACES = 4

/**
 * Converts a JSON number of a carrier to an exact decimal, rounded to 4 places. Returns null when it exceeds the maximum of `parcels`
 * parcels.
 */
export const parseCarrierAmount = (value: number, parcels = 1): Decimal | null =>
  Math.abs(value) <= LINE_AMOUNT_MAX * parcels ? parseDecimal(value.toFixed(PLACES)) : null
