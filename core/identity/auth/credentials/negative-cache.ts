import type { Spacing } from '../../../data/backoff.ts'
import type { Shared } from '../../../data/shared/shared.ts'
import { ApiError } from '../../../http/errors/errors.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Addresses that nobody has an account with: some are mistyped, more are tried. */
const MISSES: Spacing = { free: 10, firstMs: MINUTE_MS, maxMs: HOUR_MS, forgetMs: 24 * HOUR_MS }

/**
 * Looks for people by their e-mail addresses for somebody who shall learn of few which have an account: who named ten of nobody waits longer and
 * longer before each next, whether or not that one has one (`rate_limited`). `look` gives undefined, or throws, where somebody is not found.
 */
export async function lookUpPeople<V>(shared: Shared, askerId: string, look: () => Promise<V>): Promise<V> {
  const key = `people:missed:${askerId}`
  const waitMs = await shared.backoff.take(key, MISSES)
  if (waitMs > 0) throw tooMany(waitMs)
  const found = await look()
  if (found !== undefined) await shared.backoff.giveBack(key)
  return found
}

function tooMany(waitMs: number): ApiError {
  const wait = String(Math.ceil(waitMs / 1000))
  return new ApiError(
    'rate_limited',
    `Too many e-mail addresses without an account were named. Wait ${wait} s, or invite people by mail.`,
    {
      headers: { 'retry-after': wait },
    },
  )
}
