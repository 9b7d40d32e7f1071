const DAY_MS = 86_400_000
export const ACCESS_MS = 90 * DAY_MS
/** A grant that nobody refreshes for so long is over. */
export const REFRESH_MS = 180 * DAY_MS
