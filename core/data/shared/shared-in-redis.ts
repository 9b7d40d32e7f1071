import type { Logger } from 'pino'
import { ACQUIRE_ATTEMPT, acquireAttemptArguments, RELEASE_ATTEMPT } from '../backoff.ts'
import {
  ACQUIRE_SLOT,
  acquireArguments,
  PAUSE_CALLS,
  type PeekOptions,
  type RateWindow,
  RELEASE_SLOT,
  RESTORE_CALLS,
  restoreArguments,
  unavailableSlot,
} from './rate-limiter.ts'
import { openRedis } from './redis.ts'
import { type SharedState, sharedInMemory } from './shared.ts'

const HIT = `local n = redis.call('incr', KEYS[1])
if n == 1 then redis.call('pexpire', KEYS[1], ARGV[1]) end
return {n, redis.call('pttl', KEYS[1])}`

const noop = () => {}

/**
 * Shares state between processes in Redis, under names that begin with `prefix`. While Redis is down, each process counts for itself and
 * messages between processes are lost. Callers bound the cost of that. A process always receives its own messages at once.
 */
export async function sharedInRedis(url: string, prefix: string, log: Logger): Promise<SharedState> {
  const redis = await openRedis(url, log)
  const local = sharedInMemory()
  const self = crypto.randomUUID()
  const keysOf = (key: string) => {
    const calls = `${prefix}turns:{${key}}`
    return { taken: calls, paused: `${calls}:paused`, line: `${calls}:line` }
  }
  /** Keys whose slots were acquired without Redis, so that its record is incomplete. */
  const staleKeys = new Set<string>()

  /** Returns the milliseconds to wait. Undefined while Redis is down. */
  async function acquireSlot(
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

  return {
    // Without Redis, each process limits its own calls.
    rateLimiter: {
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
    },
    backoff: {
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
    },
    async countHit(key, windowMs) {
      const count = { keys: [prefix + key], arguments: [String(windowMs)] }
      return redis
        .run((client) => client.eval(HIT, count) as Promise<[number, number]>)
        .then(
          ([count, resetMs]) => ({ count, resetMs }),
          () => local.countHit(key, windowMs),
        )
    },
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
    async check() {
      await redis.run((client) => client.ping())
    },
    async close() {
      await Promise.all([redis.close(), local.close()])
    },
  }
}
