import { evictOldest } from '../lib/evict-oldest.ts'

/** Spacing of attempts per key: some are free, then each wait is twice as long as the one before. */
export interface BackoffPolicy {
  readonly freeAttempts: number
  readonly firstMs: number
  readonly maxMs: number
  /** Milliseconds without an attempt after which a key starts anew. */
  readonly resetAfterMs: number
}

/** Limits attempts that may fail, such as sign-ins. Each is counted before it is made, so concurrent attempts gain nothing. */
export interface Backoff {
  /** Counts an attempt and returns 0, or returns the milliseconds until one is allowed. */
  acquire(key: string, spacing: BackoffPolicy): Promise<number>
  /** Uncounts an attempt that did not fail. The next one need not wait. */
  release(key: string): Promise<void>
  /** Resets a key. */
  clear(key: string): Promise<void>
}

interface Tries {
  count: number
  /** Moment of the next allowed attempt, and moment at which the key is reset. */
  next: number
  ends: number
}

const KEYS_MAX = 20_000

/** Creates the backoff of a single process. At most 20,000 keys are remembered. */
export function backoffInMemory(now: () => number = () => performance.now()): Backoff {
  const all = new Map<string, Tries>()

  function triesOf(key: string): Tries {
    const known = all.get(key)
    const tries = known && known.ends > now() ? known : { count: 0, next: 0, ends: 0 }
    all.delete(key)
    all.set(key, tries)
    evictOldest(all, KEYS_MAX)
    return tries
  }

  return {
    async acquire(key, spacing) {
      const [tries, at] = [triesOf(key), now()]
      if (tries.next > at) return Math.ceil(tries.next - at)
      tries.count += 1
      tries.next = at + waitAfter(tries.count, spacing)
      tries.ends = at + spacing.resetAfterMs
      return 0
    },
    async release(key) {
      const tries = triesOf(key)
      tries.count = Math.max(0, tries.count - 1)
      tries.next = 0
    },
    async clear(key) {
      all.delete(key)
    },
  }
}

function waitAfter(count: number, { freeAttempts: free, firstMs, maxMs }: BackoffPolicy): number {
  return count < free ? 0 : Math.min(maxMs, firstMs * 2 ** Math.min(count - free, 40))
}

/** Lua script that counts an attempt in Redis, by Redis's clock. KEYS: the key. ARGV: the policy. */
export const ACQUIRE_ATTEMPT = `local t = redis.call('time')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local free, first, most, forget = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local next = tonumber(redis.call('hget', KEYS[1], 'next') or '0')
if next > now then return next - now end
local count = redis.call('hincrby', KEYS[1], 'count', 1)
local wait = count < free and 0 or math.min(most, first * 2 ^ math.min(count - free, 40))
redis.call('hset', KEYS[1], 'next', string.format('%.0f', now + wait))
redis.call('pexpire', KEYS[1], forget)
return 0`

/** Builds the arguments of the script that counts an attempt. */
export const acquireAttemptArguments = ({ freeAttempts: free, firstMs, maxMs, resetAfterMs: forgetMs }: BackoffPolicy) =>
  [free, firstMs, maxMs, forgetMs].map(String)

/** Lua script that uncounts an attempt. */
export const RELEASE_ATTEMPT = `if redis.call('exists', KEYS[1]) == 0 then return 0 end
if redis.call('hincrby', KEYS[1], 'count', -1) < 0 then redis.call('hset', KEYS[1], 'count', 0) end
return redis.call('hset', KEYS[1], 'next', 0)`
