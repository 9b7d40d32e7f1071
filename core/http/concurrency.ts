import type { SharedState } from '../data/shared/shared.ts'
import { FairQueue } from '../lib/async/fair-queue.ts'
import { MINUTE_MS } from '../lib/durations.ts'
import { ApiError } from './errors/errors.ts'

/** Longest wait for a place in {@link queueByOwner}. Callers who are told to retry know more than those who hear nothing. */
const WAIT_MAX_MS = 15_000

/** Counts one use per minute under the name `what`. Throws `rate_limited` after `most` uses. */
export async function assertRate({ shared }: { readonly shared: SharedState }, what: string, most: number): Promise<void> {
  const { count, resetMs } = await shared.countHit(`rate:few:${what}`, MINUTE_MS)
  if (count <= most) return
  const wait = String(Math.max(1, Math.ceil(resetMs / 1000)))
  throw new ApiError('rate_limited', `More than ${most} of these a minute. Wait ${wait} s.`, { headers: { 'retry-after': wait } })
}

/**
 * Returns a function that limits concurrent work in this process, per owner and in total. It throws `unavailable` with `message`
 * if a limit is reached.
 */
export function limitConcurrency(most: { readonly own: number; readonly all: number }, message: string) {
  const running = new Map<string, number>()
  return async <V>(ownerId: string, work: () => Promise<V>): Promise<V> => {
    const [own, all] = [running.get(ownerId) ?? 0, running.values().reduce((sum, count) => sum + count, 0)]
    if (own >= most.own || all >= most.all) throw overloadError(message)
    running.set(ownerId, own + 1)
    try {
      return await work()
    } finally {
      const left = (running.get(ownerId) ?? 1) - 1
      if (left > 0) running.set(ownerId, left)
      else running.delete(ownerId)
    }
  }
}

/** Limits of {@link queueByOwner}: concurrent work of one owner and in total, and waiting work of one owner. */
interface Bounds {
  readonly own: number
  readonly all: number
  readonly waiting: number
  /** Milliseconds that work waits at most; 15 s if it is left out. */
  readonly waitMs?: number
}

interface Waiter {
  start(): void
  leave(reason: unknown): void
}

/**
 * Returns a function that runs limited work at once in this process. Others wait, and owners take turns. It throws `unavailable` with the
 * `message` if too many of one owner wait, or if the wait is too long. It rejects with the reason of `signal` if the caller leaves while
 * waiting.
 */
export function queueByOwner({ own, all, waiting: waitingMax, waitMs = WAIT_MAX_MS }: Bounds, message: string) {
  const waiting = new FairQueue<Waiter>()
  const running = new Map<string, number>()
  const overloaded = () => overloadError(message)
  let total = 0
  const hasCapacity = (owner: string) => (running.get(owner) ?? 0) < own

  function startNext(): void {
    while (total < all) {
      const next = waiting.shift(hasCapacity)
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
    const applicant: Waiter = { start: resolve, leave: reject }
    const leave = (reason: unknown) => {
      if (waiting.remove(applicant)) applicant.leave(reason)
    }
    const abort = () => leave(signal?.reason)
    signal?.throwIfAborted()
    signal?.addEventListener('abort', abort)
    const patience = setTimeout(() => leave(overloaded()), waitMs)
    waiting.push(owner, applicant)
    startNext()
    await promise.finally(() => {
      clearTimeout(patience)
      signal?.removeEventListener('abort', abort)
    })
  }

  return async <V>(owner: string, work: () => Promise<V>, signal?: AbortSignal): Promise<V> => {
    if (waiting.sizeOf(owner) >= waitingMax) throw overloaded()
    await admit(owner, signal)
    try {
      return await work()
    } finally {
      count(owner, -1)
      startNext()
    }
  }
}

const overloadError = (message: string) =>
  new ApiError('unavailable', `${message} Try again in a few seconds.`, { headers: { 'retry-after': '3' } })
