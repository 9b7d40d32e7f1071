import { DAY_MS } from '../../../lib/durations.ts'
import { type Decimal, ONE } from '../../../lib/money/decimal.ts'

/** Time before the next period at which it is invoiced. */
export const NOTICE_MS = 3 * DAY_MS
/** Grace period after which an unpaid subscription expires and the store has the free plan. */
export const GRACE_MS = 7 * DAY_MS
/** Time for which the price of a change of plan is valid. */
export const OFFER_MS = DAY_MS

/** Period in epoch milliseconds; the end is exclusive. */
export interface Period {
  readonly start: number
  readonly end: number
}

/** Adds months to a time in UTC: the same day of the month, or the last day of a shorter one. */
export function addMonths(time: number, months: number): number {
  const from = new Date(time)
  const to = new Date(time)
  to.setUTCDate(1)
  to.setUTCMonth(from.getUTCMonth() + months)
  const last = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate()
  to.setUTCDate(Math.min(from.getUTCDate(), last))
  return to.getTime()
}

/** Returns the period that starts at `start` and ends a whole number of months after `anchor`. */
export function buildPeriod(start: number, anchor = start): Period {
  const [from, first] = [new Date(start), new Date(anchor)]
  let months = (from.getUTCFullYear() - first.getUTCFullYear()) * 12 + from.getUTCMonth() - first.getUTCMonth()
  while (addMonths(anchor, months) <= start) months += 1
  return { start, end: addMonths(anchor, months) }
}

/** Returns the calendar month in UTC, the period of stores with a free plan. */
export function calendarMonth(now: number): Period {
  const at = new Date(now)
  return { start: Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1), end: Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1) }
}

/** Returns the prorated price for the rest of a period, from a price per month, rounded half up to `decimals` decimals. */
export function proratedPrice(price: Decimal, period: Period, now: number, decimals: number, month = period): Decimal {
  const left = BigInt(Math.max(0, period.end - Math.max(period.start, now)))
  const [whole, step] = [BigInt(month.end - month.start), ONE / 10n ** BigInt(decimals)]
  return ((2n * price * left + whole * step) / (2n * whole * step)) * step
}
