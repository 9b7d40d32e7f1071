import { type Backoff, backoffInMemory } from '../backoff.ts'
import { type RateLimiter, rateLimiterInMemory } from './rate-limiter.ts'

/** Count of a key in its current time window. */
export interface WindowCount {
  readonly count: number
  /** Milliseconds until the current window ends. */
  readonly resetMs: number
}

/**
 * State that several processes share and may lose: counters in time windows, rate limits, attempts and live messages. Losing all of it
 * loses no data.
 */
export interface SharedState {
  /** Counts one in the window that began with the key's first hit. */
  countHit(key: string, windowMs: number): Promise<WindowCount>
  readonly rateLimiter: RateLimiter
  readonly backoff: Backoff
  publish(channel: string, message: string): Promise<void>
  /** Subscribes to a channel. Returns a function that unsubscribes. */
  subscribe(channel: string, listener: (message: string) => void): Promise<() => void>
  /** Rejects while the shared store is down and each process uses its own memory. */
  check(): Promise<void>
  close(): Promise<void>
}

/** Creates the shared state of a single process, in memory. */
export function sharedInMemory(): SharedState {
  const windows = new Map<string, { count: number; ends: number }>()
  const listeners = new Map<string, Set<(message: string) => void>>()
  const sweep = setInterval(() => {
    const now = Date.now()
    for (const [key, window] of windows) if (window.ends <= now) windows.delete(key)
  }, 30_000)
  sweep.unref()
  return {
    rateLimiter: rateLimiterInMemory(),
    backoff: backoffInMemory(),
    async countHit(key, windowMs) {
      const now = Date.now()
      const known = windows.get(key)
      const window = known && known.ends > now ? known : { count: 0, ends: now + windowMs }
      if (window !== known) windows.set(key, window)
      window.count += 1
      return { count: window.count, resetMs: window.ends - now }
    },
    async publish(channel, message) {
      for (const listener of listeners.get(channel) ?? []) listener(message)
    },
    async subscribe(channel, listener) {
      const all = listeners.get(channel) ?? new Set()
      listeners.set(channel, all.add(listener))
      return () => void all.delete(listener)
    },
    async check() {},
    async close() {
      clearInterval(sweep)
    },
  }
}
