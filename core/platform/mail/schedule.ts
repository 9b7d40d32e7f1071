import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/durations.ts'

/** Delays after each failed attempt. After the last, a mail is given up. */
const WAITS_MS = [
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
  36 * HOUR_MS,
]

/** Returns the time of the next attempt, with 10% jitter; null if there is none. */
export function nextAttemptAt(attempts: number, now = Date.now()): Date | null {
  const wait = WAITS_MS[attempts - 1]
  return wait === undefined ? null : new Date(now + wait * (0.9 + Math.random() * 0.2))
}

/** Maximum mails of one template to one address within an hour. */
export const HOURLY_MAX = 12
/** Days that mails are kept. */
export const MAIL_RETENTION_DAYS = 30
