import { ApiError } from './errors/errors.ts'

/** Builds the rate limit headers: requests per minute, requests left, and the time until the window resets. */
export const rateHeaders = (limit: number, left: number, resetMs: number): Record<string, string> => ({
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(Math.max(0, left)),
  'ratelimit-reset': String(Math.ceil(resetMs / 1000)),
})

/** Builds the error for a caller that exceeded its rate limit. */
export function rateLimitError(limit: number, waitMs: number): ApiError {
  const wait = String(Math.ceil(waitMs / 1000))
  const headers = { ...rateHeaders(limit, 0, waitMs), 'retry-after': wait }
  return new ApiError('rate_limited', `More than ${limit} requests a minute. Wait ${wait} s.`, { headers })
}
