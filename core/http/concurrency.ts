import type { Shared } from '../data/shared/shared.ts'
import { FairQueue } from '../lib/async/fair-queue.ts'
import { ApiError } from './errors/errors.ts'

const MINUTE_MS = 60_000

/** Counts one of what is done so many times a minute at most. Throws `rate_limited`. */
export async function assertRate({ shared }: { readonly shared: Shared }, what: string, most: number): Promise<void> {
  const { count, resetMs } = await shared.hit(`rate:few:${what}`, MINUTE_MS)
  if (count <= most) return
  const wait = String(Math.max(1, Math.ceil(resetMs / 1000)))
  throw new ApiError('rate_limited', `More than ${most} of these a minute. Wait ${wait} s.`, { headers: { 'retry-after': wait } })
}

/**
 * Lets so many of something be done at once in this process: of one owner, and of all. What is given back throws `unavailable`, with what is
 * said of them, where there are as many already.
 */
export function limitConcurrency(most: { readonly own: number; readonly all: number }, said: string) {
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

/** How many pieces of work run at once, of one owner and of all, and how many of one owner may wait for that. */
interface Bounds {
  readonly own: number
  readonly all: number
  readonly waiting: number
}

interface Applicant {
  start(): void
  leave(reason: unknown): void
}

/**
 * Runs a bounded number of pieces of work at once in this process; others wait, and owners take turns. Throws `unavailable`, with what is said
 * of them, where too many of one owner wait, and the reason of `signal` where the caller leaves while waiting.
 */
export function queueByOwner({ own, all, waiting: waitingMax }: Bounds, said: string) {
  const waiting = new FairQueue<Applicant>()
  const running = new Map<string, number>()
  let total = 0
  const may = (owner: string) => (running.get(owner) ?? 0) < own

  function startNext(): void {
    while (total < all) {
      const next = waiting.shift(may)
      if (!next) return
      count(next.owner, 1)
      next.item.start()
    }
  }

  function count(owner: string, by: 1 | -1): void {
    total += by
    const left = (running.get(owner) ?? 0) + by
    if (left > 0) running.set(owner, left)
    else running.delete(owner)
  }

  async function admit(owner: string, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const applicant: Applicant = { start: resolve, leave: reject }
    const leave = () => {
      if (waiting.remove(applicant)) applicant.leave(signal?.reason)
    }
    signal?.throwIfAborted()
    signal?.addEventListener('abort', leave)
    waiting.push(owner, applicant)
    startNext()
    await promise.finally(() => signal?.removeEventListener('abort', leave))
  }

  return async <V>(owner: string, work: () => Promise<V>, signal?: AbortSignal): Promise<V> => {
    if (waiting.sizeOf(owner) >= waitingMax)
      throw new ApiError('unavailable', `${said} Try again in a few seconds.`, { headers: { 'retry-after': '3' } })
    await admit(owner, signal)
    try {
      return await work()
    } finally {
      count(owner, -1)
      startNext()
    }
  }
}
