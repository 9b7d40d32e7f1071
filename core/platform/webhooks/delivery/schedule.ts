const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long after a failed attempt the next one follows; after the last there is none. */
const DELAYS_MS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR] as const
const JITTER = 0.1

export const ATTEMPTS_MAX = DELAYS_MS.length + 1
export const ATTEMPT_TIMEOUT_MS = 15 * SECOND
/** A delivery waits no longer than this for earlier ones of its key; then it goes ahead. */
export const ORDER_WAIT_MS = 10 * MINUTE
/** Longer than an attempt and the wait before it; then a dead process's deliveries are sent by others. */
export const LEASE_MS = 60 * SECOND
/** Failing for so long, from the first failure since anything was delivered, disables an endpoint: however rarely it is tried. */
export const FAILING_MS = 5 * DAY
export const DELIVERIES_KEPT_DAYS = 30
/** Longer than deliveries: one that was sent again on its last day is retried for another day. */
export const EVENTS_KEPT_DAYS = 32

/** Milliseconds until the attempt that follows `made` attempts; null where all are used up. ±10 %, so that a receiver that was away is not met by all at once. */
export function nextDelayMs(made: number, random = Math.random): number | null {
  const delay = DELAYS_MS[made - 1]
  return delay === undefined ? null : Math.round(delay * (1 - JITTER + 2 * JITTER * random()))
}

const TOLD_AT = [50, 70, 90, 100] as const

/** The last mark on the way to being disabled that this long a failure has passed; 0 before the first. */
export function markPassed(failingMs: number): number {
  const percent = (failingMs / FAILING_MS) * 100
  return TOLD_AT.findLast((mark) => percent >= mark) ?? 0
}
