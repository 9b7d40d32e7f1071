import type { CashStatus, ParcelStatus } from '../../../plugins/carrier/model.ts'
import type { PollState } from '../parcels/polls.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Poll interval by the time since the last report. After the last row, polling ends. */
const intervals: readonly { readonly silentMs: number; readonly everyMs: number }[] = [
  { silentMs: 6 * HOUR, everyMs: 20 * MINUTE },
  { silentMs: DAY, everyMs: HOUR },
  { silentMs: 3 * DAY, everyMs: 2 * HOUR },
  { silentMs: 7 * DAY, everyMs: 6 * HOUR },
  { silentMs: 21 * DAY, everyMs: 12 * HOUR },
  { silentMs: 60 * DAY, everyMs: DAY },
]
/** Factor for a carrier with callbacks, which is polled only as a safety net. */
const WITH_CALLBACKS = 6
/** Factor for a delivered parcel, for which only its cash can still change. */
const WHEN_DELIVERED = 6
const EVERY_MAX = DAY

const paid: readonly CashStatus[] = ['paid_out', 'payout_confirmed']
const notPolled: readonly ParcelStatus[] = ['created', 'submitting', 'returned', 'cancelled', 'lost']

/** Returns the time of the next poll of a parcel, in milliseconds since 1970; null when no more reports can come. */
export function nextPollTime(parcel: PollState, callsBack: boolean, now: number): number | null {
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
