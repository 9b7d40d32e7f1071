import type { CashStatus, ParcelStatus } from '../../../plugins/carrier/model.ts'
import type { Watched } from '../parcels/polls.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How often news is asked for, by how long there was none. After the last row nobody asks any more. */
const pace: readonly { readonly silentMs: number; readonly everyMs: number }[] = [
  { silentMs: 6 * HOUR, everyMs: 20 * MINUTE },
  { silentMs: DAY, everyMs: HOUR },
  { silentMs: 3 * DAY, everyMs: 2 * HOUR },
  { silentMs: 7 * DAY, everyMs: 6 * HOUR },
  { silentMs: 21 * DAY, everyMs: 12 * HOUR },
  { silentMs: 60 * DAY, everyMs: DAY },
]
/** A carrier that calls back is asked as a safety net only. */
const WITH_CALLBACKS = 6
/** A delivered parcel has nothing to tell but where its money is. */
const WHEN_DELIVERED = 6
const EVERY_MAX = DAY

const paid: readonly CashStatus[] = ['paid_out', 'payout_confirmed']
const ended: readonly ParcelStatus[] = ['created', 'submitting', 'returned', 'cancelled', 'lost']

/** When the carrier is asked for news of a parcel next, in milliseconds since 1970; null where there is none to come. */
export function nextPoll(parcel: Watched, callsBack: boolean, now: number): number | null {
  if (ended.includes(parcel.status)) return null
  const delivered = parcel.status === 'delivered'
  if (delivered && (paid.includes(parcel.cashStatus) || Number(parcel.codAmount) === 0)) return null
  const lastNews = Math.max(Date.parse(parcel.lastReportAt ?? '') || 0, Date.parse(parcel.submittedAt ?? '') || 0)
  const row = pace.find(({ silentMs }) => now - lastNews < silentMs)
  if (!row) return null
  const everyMs = row.everyMs * (callsBack ? WITH_CALLBACKS : 1) * (delivered ? WHEN_DELIVERED : 1)
  // Spread, so that what was sent together is not asked for together for ever.
  return now + Math.min(EVERY_MAX, everyMs) * (0.9 + Math.random() * 0.2)
}
