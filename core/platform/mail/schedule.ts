const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1_000, 60_000, 3_600_000]

/** How long after each try that failed the next one is made. After the last a mail is given up. */
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

/** When the next try is made after this many; null where none is. A tenth more or less, so that not all come at once. */
export function nextTry(attempts: number, now = Date.now()): Date | null {
  const wait = WAITS_MS[attempts - 1]
  return wait === undefined ? null : new Date(now + wait * (0.9 + Math.random() * 0.2))
}

/** Of one kind to one address within an hour. */
export const HOURLY_MAX = 12
export const KEPT_DAYS = 30
