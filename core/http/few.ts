import type { Shared } from '../data/shared.ts'
import { ApiError } from './errors.ts'

const MINUTE_MS = 60_000

/** Counts one of what is done so many times a minute at most. Throws `rate_limited`. */
export async function assertFew({ shared }: { readonly shared: Shared }, what: string, most: number): Promise<void> {
  const { count, resetMs } = await shared.hit(`rate:few:${what}`, MINUTE_MS)
  if (count <= most) return
  const wait = String(Math.max(1, Math.ceil(resetMs / 1000)))
  throw new ApiError('rate_limited', `More than ${most} of these a minute. Wait ${wait} s.`, { headers: { 'retry-after': wait } })
}
