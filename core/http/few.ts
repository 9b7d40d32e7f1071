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

/**
 * Lets so many of something be done at once in this process: of one owner, and of all. What is given back throws `unavailable`, with what is
 * said of them, where there are as many already.
 */
export function fewAtOnce(most: { readonly own: number; readonly all: number }, said: string) {
  const underWay = new Map<string, number>()
  return async <V>(ownerId: string, work: () => Promise<V>): Promise<V> => {
    const [own, all] = [underWay.get(ownerId) ?? 0, underWay.values().reduce((sum, count) => sum + count, 0)]
    if (own >= most.own || all >= most.all)
      throw new ApiError('unavailable', `${said} Try again in a few seconds.`, { headers: { 'retry-after': '3' } })
    underWay.set(ownerId, own + 1)
    try {
      return await work()
    } finally {
      const left = (underWay.get(ownerId) ?? 1) - 1
      if (left > 0) underWay.set(ownerId, left)
      else underWay.delete(ownerId)
    }
  }
}
