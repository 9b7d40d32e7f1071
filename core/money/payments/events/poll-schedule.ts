import type { Context } from '../../../context.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../lib/durations.ts'
import type { PaymentRow } from '../payments.model.ts'
import { isUnderWay } from '../statuses.ts'

/** Minutes between polls. Gateways with webhooks are polled as well, because webhooks get lost. */
const MINUTES = [1, 1, 2, 3, 5, 10, 15, 30, 60]
/** Lifetime of a checkout whose gateway states no expiry. */
const LIFE_MS = DAY_MS
/** Lifetime of a payment whose checkout was never confirmed by the gateway. */
const UNCONFIRMED_LIFE_MS = 30 * MINUTE_MS
/** Lifetime of a payment in `processing`, because some banks take weeks. */
const PROCESSING_MS = 30 * DAY_MS
/** Lifetime up to which a checkout page counts as short. It is polled often, since the gateway may refund an unconfirmed payment. */
const SHORT_MS = UNCONFIRMED_LIFE_MS + 15 * MINUTE_MS
const SHORT_MINUTES = 2

/** Polling after the expiry: at intervals of a quarter of the time since then, at least 2 min, at most 6 h, for 8 days. */
const LATE = { least: 2 * MINUTE_MS, most: 6 * HOUR_MS, fraction: 1 / 4, forMs: 8 * DAY_MS } as const
/** Time after the expiry without an outcome, after which the payment waits for review. */
const SILENT_MS = DAY_MS

type Timed = Pick<PaymentRow, 'status' | 'createdAt' | 'expiresAt'>

/** Returns the time at which the checkout page closes, in epoch milliseconds. */
const closesAt = ({ status, createdAt, expiresAt }: Timed): number =>
  expiresAt ? Date.parse(expiresAt) : Date.parse(createdAt) + (status === 'created' ? UNCONFIRMED_LIFE_MS : LIFE_MS)

/**
 * Returns the time at which an unpaid payment expires, in epoch milliseconds. A payment in `processing` outlives its page, up to 30 days.
 */
export const expiryOf = (payment: Timed): number =>
  payment.status === 'processing' ? Math.max(closesAt(payment), Date.parse(payment.createdAt) + PROCESSING_MS) : closesAt(payment)

/** Returns whether a payment's outcome is overdue: 24 h after its expiry, or at once in `processing`. */
export const isOutcomeOverdue = (payment: Timed, now: number): boolean =>
  isUnderWay(payment.status) && expiryOf(payment) + (payment.status === 'processing' ? 0 : SILENT_MS) <= now

/** Returns the time of the next poll; null when polling has ended. Short-lived pages are polled at least every 2 min. */
export function nextPollAt(payment: Timed & Pick<PaymentRow, 'reads'>, now: number, isPolled = isUnderWay(payment.status)): string | null {
  if (!isPolled) return null
  const end = expiryOf(payment)
  if (end <= now) return now - end < LATE.forMs ? timeText(now + lateMs(now - end)) : null
  const closes = closesAt(payment)
  const isShort = payment.expiresAt !== null && closes > now && closes - Date.parse(payment.createdAt) <= SHORT_MS
  const most = isShort ? SHORT_MINUTES : 60
  return timeText(Math.min(now + Math.min(MINUTES[payment.reads] ?? most, most) * MINUTE_MS, end + MINUTE_MS))
}

const lateMs = (ms: number) => Math.min(LATE.most, Math.max(LATE.least, ms * LATE.fraction))
const timeText = (ms: number) => new Date(ms).toISOString()

/** Returns the time of the next poll after a poll now; null when polling has ended. `hasResponded` means that the gateway responded. */
export function nextPollAfter(context: Context, payment: PaymentRow, { hasResponded }: { readonly hasResponded: boolean }): string | null {
  const now = Date.now()
  const isRetriable = canRetry(context, payment) && !(hasResponded && expiryOf(payment) <= now)
  return nextPollAt(payment, now, isUnderWay(payment.status) || isRetriable)
}

/** Returns the expiry and the next poll of a payment whose gateway did not respond when it expired. */
export function expiryNow(payment: Parameters<typeof nextPollAt>[0]): { readonly expiresAt: string; readonly readAt: string | null } {
  const now = Date.now()
  const expiresAt = new Date(Math.min(now, expiryOf(payment))).toISOString()
  return { expiresAt, readAt: nextPollAt({ ...payment, expiresAt }, now) }
}

/** Returns whether the payer can retry a failed payment on its open page, at a gateway that sends no webhook. */
function canRetry({ plugins }: Context, { status, gateway, expiresAt }: PaymentRow): boolean {
  if (status !== 'failed' || expiresAt === null) return false
  const adapter = plugins.find('payment', gateway)?.adapter
  return adapter !== undefined && !adapter.webhook && !adapter.settle
}
