import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../lib/durations.ts'

/** Delays after each failed attempt. After the last one, the delivery has failed. */
const DELAYS_MS = [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 10 * HOUR_MS] as const
const JITTER = 0.1

/** Attempts of a delivery. */
export const ATTEMPTS_MAX = DELAYS_MS.length + 1
/** Milliseconds that one attempt may take. */
export const ATTEMPT_TIMEOUT_MS = 15 * SECOND_MS
/** Maximum wait of an ordered delivery for earlier ones of its key. */
export const ORDER_WAIT_MS = 10 * MINUTE_MS
/** Length of a lease. Longer than an attempt and the wait before it. */
export const LEASE_MS = 60 * SECOND_MS
/** Duration of failures after which an endpoint is disabled, counted from the first failure since a success. */
const FAILING_MS = 5 * DAY_MS
/** Days that deliveries are kept. */
export const DELIVERY_RETENTION_DAYS = 30
/** Days that events are kept. Longer than deliveries, because a redelivery on the last day is retried for another day. */
export const EVENT_RETENTION_DAYS = 32

/**
 * Returns the milliseconds until the attempt after `made` attempts; null if none is left. Varies by 10%, so that retries do not arrive all
 * at once.
 */
export function nextDelayMs(made: number, random = Math.random): number | null {
  const delay = DELAYS_MS[made - 1]
  return delay === undefined ? null : Math.round(delay * (1 - JITTER + 2 * JITTER * random()))
}

const NOTICE_PERCENTAGES = [50, 70, 90, 100] as const

/** Returns the last percentage of the disabling time that a failure has passed; 0 before the first. */
export function passedNoticePercent(failingMs: number): number {
  const percent = (failingMs / FAILING_MS) * 100
  return NOTICE_PERCENTAGES.findLast((mark) => percent >= mark) ?? 0
}
