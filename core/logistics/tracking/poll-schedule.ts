import type { CashStatus, ParcelStatus } from '../../../plugins/carrier/model.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/durations.ts'
import type { PollState } from '../parcels/polls.ts'

/** Poll interval by the time since the last report. After the last row, polling ends. */
const intervals: readonly { readonly silentMs: number; readonly everyMs: number }[] = [
  { silentMs: 6 * HOUR_MS, everyMs: 20 * MINUTE_MS },
  { silentMs: DAY_MS, everyMs: HOUR_MS },
  { silentMs: 3 * DAY_MS, everyMs: 2 * HOUR_MS },
  { silentMs: 7 * DAY_MS, everyMs: 6 * HOUR_MS },
  { silentMs: 21 * DAY_MS, everyMs: 12 * HOUR_MS },
  { silentMs: 60 * DAY_MS, everyMs: DAY_MS },
]
/** Factor for a carrier with callbacks, which is polled only as a safety net. */
const WITH_CALLBACKS = 6
/** Factor for a delivered parcel, for which only its cash can still change. */
const WHEN_DELIVERED = 6
const EVERY_MAX = DAY_MS

const paid: readonly CashStatus[] = ['paid_out', 'payout_confirmed']
const notPolled: readonly ParcelStatus[] = ['created', 'submitting', 'returned', 'cancelled', 'lost']

/** Returns the time of the next poll of a parcel, in milliseconds since 1970; null when no more reports can come. */
export function nextPollTime(parcel: PollState, { callsBack }: { readonly callsBack: boolean }, now: number): number | null {
  if (notPolled.includes(parcel.status)) return null
  const delivered = parcel.status === 'delivered'
  if (delivered && (paid.includes(parcel.cashStatus) || Number(parcel.codAmount) === 0)) return null
  const lastNews = Math.max(Date.parse(parcel.lastReportAt ?? '') || 0, Date.parse(parcel.submittedAt ?? '') || 0)
  const row = intervals.find(({ silentMs }) => now - lastNews < silentMs)
  if (!row) return null
  const everyMs = row.everyMs * (callsBack ? WITH_CALLBACKS : 1) * (delivered ? WHEN_DELIVERED : 1)
  // Random, so that parcels that were sent together are not always polled together.
  return now + Math.min(EVERY_MAX, everyMs) * (0.9 + Math.random() * 0.2)
}
