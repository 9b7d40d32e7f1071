import type { BackoffPolicy } from '../../../data/backoff.ts'
import type { SharedState } from '../../../data/shared/shared.ts'
import { HOUR_MS, MINUTE_MS } from '../../../lib/durations.ts'
import type { DomainError } from '../../../lib/errors/domain-error.ts'
import { authErrors } from '../auth.errors.ts'

/** Rate limit for addresses without an account: a few are typing errors, many are guesses. */
const MISSES: BackoffPolicy = { freeAttempts: 10, firstMs: MINUTE_MS, maxMs: HOUR_MS, resetAfterMs: 24 * HOUR_MS }

/**
 * Looks up users by e-mail address for a caller, and throttles callers who name many addresses without an account. After ten misses each
 * further look-up waits longer, found or not (`rate_limited`). `find` returns undefined, or throws, when a user is not found.
 */
export async function findUserThrottled<V>(shared: SharedState, askerId: string, find: () => Promise<V>): Promise<V> {
  const key = `people:missed:${askerId}`
  const waitMs = await shared.backoff.acquire(key, MISSES)
  if (waitMs > 0) throw tooMany(waitMs)
  const found = await find()
  if (found !== undefined) await shared.backoff.release(key)
  return found
}

function tooMany(waitMs: number): DomainError {
  const wait = Math.ceil(waitMs / 1000)
  return authErrors.tooManyUnknownAddresses(
    { wait },
    {
      retryAfterSeconds: wait,
    },
  )
}
