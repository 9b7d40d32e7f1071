import { ApiError } from './errors/errors.ts'

/** How many requests a minute, how many are left of them, and in how many milliseconds they begin anew. */
export const rateHeaders = (limit: number, left: number, resetMs: number): Record<string, string> => ({
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(Math.max(0, left)),
  'ratelimit-reset': String(Math.ceil(resetMs / 1000)),
})

/** What is said to whoever asked more often. */
export function tooMany(limit: number, waitMs: number): ApiError {
  const wait = String(Math.ceil(waitMs / 1000))
  const headers = { ...rateHeaders(limit, 0, waitMs), 'retry-after': wait }
  return new ApiError('rate_limited', `More than ${limit} requests a minute. Wait ${wait} s.`, { headers })
}
