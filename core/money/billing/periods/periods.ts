import { type Decimal, ONE } from '../../../lib/money/decimal.ts'

const DAY_MS = 86_400_000
/** What the next period costs is asked for so long before it begins. */
export const NOTICE_MS = 3 * DAY_MS
/** Who has not paid by then has the free plan. */
export const GRACE_MS = 7 * DAY_MS
/** What a change of plan costs holds for so long. */
export const OFFER_MS = DAY_MS

export interface Period {
  readonly start: number
  readonly end: number
}

/** So many months on, on the same day of the month, or on the last day of a shorter one. UTC. */
export function addMonths(time: number, months: number): number {
  const from = new Date(time)
  const to = new Date(time)
  to.setUTCDate(1)
  to.setUTCMonth(from.getUTCMonth() + months)
  const last = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate()
  to.setUTCDate(Math.min(from.getUTCDate(), last))
  return to.getTime()
}

/** The period that begins at `start`, of those whose ends lie whole months after `anchor`. */
export function periodFrom(start: number, anchor = start): Period {
  const [from, first] = [new Date(start), new Date(anchor)]
  let months = (from.getUTCFullYear() - first.getUTCFullYear()) * 12 + from.getUTCMonth() - first.getUTCMonth()
  while (addMonths(anchor, months) <= start) months += 1
  return { start, end: addMonths(anchor, months) }
}

/** The month of the calendar, for who pays for none. UTC. */
export function calendarMonth(now: number): Period {
  const at = new Date(now)
  return { start: Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1), end: Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1) }
}

/** What the rest of a period comes to where so much is asked for a month, rounded half up to so many decimals. */
export function restOf(price: Decimal, period: Period, now: number, decimals: number, month = period): Decimal {
  const left = BigInt(Math.max(0, period.end - Math.max(period.start, now)))
  const [whole, step] = [BigInt(month.end - month.start), ONE / 10n ** BigInt(decimals)]
  return ((2n * price * left + whole * step) / (2n * whole * step)) * step
}
