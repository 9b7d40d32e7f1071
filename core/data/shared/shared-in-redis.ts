import type { Logger } from 'pino'
import { GIVE_BACK_TRY, TAKE_TRY, takeTryArguments } from '../backoff.ts'
import {
  ACQUIRE_SLOT,
  acquireArguments,
  notAcquired,
  PAUSE_CALLS,
  type PeekOptions,
  RELEASE_SLOT,
  REMEMBER_CALLS,
  rememberArguments,
  type Window,
} from './rate-limiter.ts'
import { openRedis } from './redis.ts'
import { type Shared, sharedInMemory } from './shared.ts'

const HIT = `local n = redis.call('incr', KEYS[1])
if n == 1 then redis.call('pexpire', KEYS[1], ARGV[1]) end
return {n, redis.call('pttl', KEYS[1])}`

const noop = () => {}

/**
 * Shares state between processes in Redis, under names that begin with `prefix`. While Redis is down, each process counts for itself and
 * messages between processes are lost. Callers bound the cost of that. A process always receives its own messages at once.
 */
export async function sharedInRedis(url: string, prefix: string, log: Logger): Promise<Shared> {
  const redis = await openRedis(url, log)
  const local = sharedInMemory()
  const self = crypto.randomUUID()
  const keysOf = (key: string) => {
    const taken = `${prefix}turns:{${key}}`
    return { taken, paused: `${taken}:paused`, line: `${taken}:line` }
  }
  /** Keys whose slots were acquired without Redis, so that its record is incomplete. */
  const staleKeys = new Set<string>()

  /** Returns the milliseconds to wait. Undefined while Redis is down. */
  async function acquireSlot(place: string, key: string, windows: readonly Window[], options: PeekOptions): Promise<number | undefined> {
    const { taken, paused, line } = keysOf(key)
    const take = { keys: [taken, paused, line], arguments: acquireArguments(place, windows, options) }
    try {
      if (staleKeys.has(key)) await redis.ask((client) => client.del(taken))
      staleKeys.delete(key)
      const waitMs = Number(await redis.ask((client) => client.eval(ACQUIRE_SLOT, take)))
      if (waitMs >= 0) return waitMs
    } catch {
      staleKeys.add(key)
      return undefined
    }
    const ages = (await options.remember?.()) ?? []
    const remember = { keys: [taken], arguments: rememberArguments(windows, ages) }
    await redis.ask((client) => client.eval(REMEMBER_CALLS, remember)).catch(noop)
    return acquireSlot(place, key, windows, options)
  }

  return {
    // Without Redis, each process limits its own calls.
    turns: {
      async take(key, windows, options = {}) {
        const place = crypto.randomUUID()
        const waitMs = await acquireSlot(place, key, windows, options)
        if (waitMs === undefined) return local.turns.take(key, windows, options)
        if (waitMs > 0) return notAcquired(waitMs)
        const giveBack = { keys: [keysOf(key).taken], arguments: [place] }
        return { waitMs: 0, done: () => redis.ask((client) => client.eval(RELEASE_SLOT, giveBack)).then(noop, noop) }
      },
      async peek(key, windows, options = {}) {
        return (await acquireSlot('', key, windows, options)) ?? local.turns.peek(key, windows, options)
      },
      async pause(key, ms) {
        const pause = { keys: [keysOf(key).paused], arguments: [String(Math.ceil(ms))] }
        await redis.ask((client) => client.eval(PAUSE_CALLS, pause)).catch(() => local.turns.pause(key, ms))
      },
    },
    backoff: {
      take(key, spacing) {
        const take = { keys: [prefix + key], arguments: takeTryArguments(spacing) }
        return redis.ask((client) => client.eval(TAKE_TRY, take)).then(Number, () => local.backoff.take(key, spacing))
      },
      async giveBack(key) {
        await redis.ask((client) => client.eval(GIVE_BACK_TRY, { keys: [prefix + key] })).catch(noop)
        await local.backoff.giveBack(key)
      },
      async clear(key) {
        await redis.ask((client) => client.del(prefix + key)).catch(noop)
        await local.backoff.clear(key)
      },
    },
    async hit(key, windowMs) {
      const count = { keys: [prefix + key], arguments: [String(windowMs)] }
      return redis
        .ask((client) => client.eval(HIT, count) as Promise<[number, number]>)
        .then(
          ([count, resetMs]) => ({ count, resetMs }),
          () => local.hit(key, windowMs),
        )
    },
    async publish(channel, message) {
      await local.publish(channel, message)
      await redis
        .ask((client) => client.publish(prefix + channel, `${self} ${message}`))
        .catch((err) => log.debug({ err, channel }, 'other processes did not hear a live message'))
    },
    async subscribe(channel, listener) {
      const stopLocal = await local.subscribe(channel, listener)
      const others = (text: string) => {
        if (!text.startsWith(self)) listener(text.slice(text.indexOf(' ') + 1))
      }
      const stopOthers = redis.listen(prefix + channel, others)
      return () => {
        stopLocal()
        stopOthers()
      }
    },
    async check() {
      await redis.ask((client) => client.ping())
    },
    async close() {
      await Promise.all([redis.close(), local.close()])
    },
  }
}
