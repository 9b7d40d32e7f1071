import { type Decimal, parseDecimal } from '../../lib/money/decimal.ts'

/** No parcel is worth more; sums of tens of thousands of them still fit a JSON number exactly. */
export const LINE_MAX = 1e9
const PLACES = 4

/** A carrier's JSON number, of up to `parcels` parcels, as exact money; null where it can be no such amount. */
export const fromCarrier = (value: number, parcels = 1): Decimal | null =>
  Math.abs(value) <= LINE_MAX * parcels ? parseDecimal(value.toFixed(PLACES)) : null
