import { DAY_MS } from '../../../lib/durations.ts'
/** Lifetime of an access token in milliseconds: 90 days. */
export const ACCESS_TOKEN_MS = 90 * DAY_MS
/** Lifetime of a refresh token in milliseconds: 180 days. A grant that is not refreshed for so long expires. */
export const REFRESH_TOKEN_MS = 180 * DAY_MS
