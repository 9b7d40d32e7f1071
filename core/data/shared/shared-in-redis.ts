import type { Logger } from 'pino'
import { ACQUIRE_ATTEMPT, acquireAttemptArguments, type Backoff, RELEASE_ATTEMPT } from '../backoff.ts'
import {
  ACQUIRE_SLOT,
  acquireArguments,
  PAUSE_CALLS,
  type PeekOptions,
  type RateLimiter,
  type RateWindow,
  RELEASE_SLOT,
  RESTORE_CALLS,
  restoreArguments,
  unavailableSlot,
} from './rate-limiter.ts'
import { openRedis, type Redis } from './redis.ts'
import { type SharedState, sharedInMemory } from './shared.ts'

const HIT = `local n = redis.call('incr', KEYS[1])
if n == 1 then redis.call('pexpire', KEYS[1], ARGV[1]) end
return {n, redis.call('pttl', KEYS[1])}`

const noop = () => {}

/** Redis as the features below use it, with the state that replaces it while it is down. */
interface Parts {
  readonly redis: Redis
  readonly local: SharedState
  readonly prefix: string
  readonly log: Logger
}

/**
 * Shares state between processes in Redis, under names that begin with `prefix`. While Redis is down, each process counts for itself and
 * messages between processes are lost. Callers bound the cost of that. A process always receives its own messages at once.
 */
export async function sharedInRedis(url: string, prefix: string, log: Logger): Promise<SharedState> {
  const redis = await openRedis(url, log)
  const local = sharedInMemory()
  const parts = { redis, local, prefix, log }
  return {
    rateLimiter: rateLimiterInRedis(parts),
    backoff: backoffInRedis(parts),
    ...messagesInRedis(parts),
    async countHit(key, windowMs) {
      const count = { keys: [prefix + key], arguments: [String(windowMs)] }
      return redis
        .run((client) => client.eval(HIT, count) as Promise<[number, number]>)
        .then(
          ([count, resetMs]) => ({ count, resetMs }),
          () => local.countHit(key, windowMs),
        )
    },
    async check() {
      await redis.run((client) => client.ping())
    },
    async close() {
      await Promise.all([redis.close(), local.close()])
    },
  }
}

/** Limits calls for all processes. Without Redis, each process limits its own calls. */
function rateLimiterInRedis(parts: Parts): RateLimiter {
  const { redis, local } = parts
  const keysOf = rateLimitKeysOf(parts.prefix)
  const acquireSlot = slotsInRedis(redis, keysOf)
  return {
    async acquire(key, windows, options = {}) {
      const place = crypto.randomUUID()
      const waitMs = await acquireSlot(place, key, windows, options)
      if (waitMs === undefined) return local.rateLimiter.acquire(key, windows, options)
      if (waitMs > 0) return unavailableSlot(waitMs)
      const giveBack = { keys: [keysOf(key).taken], arguments: [place] }
      return { waitMs: 0, release: () => redis.run((client) => client.eval(RELEASE_SLOT, giveBack)).then(noop, noop) }
    },
    async peek(key, windows, options = {}) {
      return (await acquireSlot('', key, windows, options)) ?? local.rateLimiter.peek(key, windows, options)
    },
    async pause(key, ms) {
      const pause = { keys: [keysOf(key).paused], arguments: [String(Math.ceil(ms))] }
      await redis.run((client) => client.eval(PAUSE_CALLS, pause)).catch(() => local.rateLimiter.pause(key, ms))
    },
  }
}

const rateLimitKeysOf = (prefix: string) => (key: string) => {
  const calls = `${prefix}turns:{${key}}`
  return { taken: calls, paused: `${calls}:paused`, line: `${calls}:line` }
}

/** Builds the function that acquires a slot. It returns the milliseconds to wait, or undefined while Redis is down. */
function slotsInRedis(redis: Redis, keysOf: ReturnType<typeof rateLimitKeysOf>) {
  /** Keys whose slots were acquired without Redis, so that its record is incomplete. */
  const staleKeys = new Set<string>()

  return async function acquireSlot(
    place: string,
    key: string,
    windows: readonly RateWindow[],
    options: PeekOptions,
  ): Promise<number | undefined> {
    const { taken, paused, line } = keysOf(key)
    const acquire = { keys: [taken, paused, line], arguments: acquireArguments(place, windows, options) }
    try {
      if (staleKeys.has(key)) await redis.run((client) => client.del(taken))
      staleKeys.delete(key)
      const waitMs = Number(await redis.run((client) => client.eval(ACQUIRE_SLOT, acquire)))
      if (waitMs >= 0) return waitMs
    } catch {
      staleKeys.add(key)
      return undefined
    }
    const ages = (await options.recallCalls?.()) ?? []
    const remember = { keys: [taken], arguments: restoreArguments(windows, ages) }
    await redis.run((client) => client.eval(RESTORE_CALLS, remember)).catch(noop)
    return acquireSlot(place, key, windows, options)
  }
}

function backoffInRedis({ redis, local, prefix }: Parts): Backoff {
  return {
    acquire(key, spacing) {
      const attempt = { keys: [prefix + key], arguments: acquireAttemptArguments(spacing) }
      return redis.run((client) => client.eval(ACQUIRE_ATTEMPT, attempt)).then(Number, () => local.backoff.acquire(key, spacing))
    },
    async release(key) {
      await redis.run((client) => client.eval(RELEASE_ATTEMPT, { keys: [prefix + key] })).catch(noop)
      await local.backoff.release(key)
    },
    async clear(key) {
      await redis.run((client) => client.del(prefix + key)).catch(noop)
      await local.backoff.clear(key)
    },
  }
}

/** Delivers messages: to this process at once, and to others through Redis. */
function messagesInRedis({ redis, local, prefix, log }: Parts): Pick<SharedState, 'publish' | 'subscribe'> {
  const self = crypto.randomUUID()
  return {
    async publish(channel, message) {
      await local.publish(channel, message)
      await redis
        .run((client) => client.publish(prefix + channel, `${self} ${message}`))
        .catch((err) => log.debug({ err, channel }, 'other processes did not hear a live message'))
    },
    async subscribe(channel, listener) {
      const stopLocal = await local.subscribe(channel, listener)
      const others = (text: string) => {
        if (!text.startsWith(self)) listener(text.slice(text.indexOf(' ') + 1))
      }
      const stopOthers = redis.subscribe(prefix + channel, others)
      return () => {
        stopLocal()
        stopOthers()
      }
    },
  }
}
