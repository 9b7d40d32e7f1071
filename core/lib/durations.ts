/** Milliseconds of a second. */
export const SECOND_MS = 1_000
/** Milliseconds of a minute. */
export const MINUTE_MS = 60 * SECOND_MS
/** Milliseconds of an hour. */
export const HOUR_MS = 60 * MINUTE_MS
/** Milliseconds of a day of 24 hours. */
export const DAY_MS = 24 * HOUR_MS
/** Milliseconds of a week. */
export const WEEK_MS = 7 * DAY_MS
