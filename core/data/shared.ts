import type { Logger } from 'pino'
import { createClient } from 'redis'
import {
  GIVE_BACK_TURN,
  notTaken,
  PAUSE_TURNS,
  type PeekOptions,
  REMEMBER_TURNS,
  rememberArguments,
  TAKE_TURN,
  type Turns,
  takeArguments,
  turnsInMemory,
  type Window,
} from './turns.ts'

export interface Hit {
  readonly count: number
  /** Milliseconds until the window that this hit fell into is over. */
  readonly resetMs: number
}

/**
 * What several processes share and may lose: counters in time windows, turns, and live messages.
 * Nothing durable: losing all of it loses no data.
 */
export interface Shared {
  /** Counts one in the window that began with the key's first hit. */
  hit(key: string, windowMs: number): Promise<Hit>
  readonly turns: Turns
  publish(channel: string, message: string): Promise<void>
  /** Gives back how to stop listening. */
  subscribe(channel: string, listener: (message: string) => void): Promise<() => void>
  check(): Promise<void>
  close(): Promise<void>
}

/** The same for one process, in memory. */
export function sharedInMemory(): Shared {
  const windows = new Map<string, { count: number; ends: number }>()
  const listeners = new Map<string, Set<(message: string) => void>>()
  const sweep = setInterval(() => {
    const now = Date.now()
    for (const [key, window] of windows) if (window.ends <= now) windows.delete(key)
  }, 30_000)
  sweep.unref()
  return {
    turns: turnsInMemory(),
    async hit(key, windowMs) {
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

const HIT = `local n = redis.call('incr', KEYS[1])
if n == 1 then redis.call('pexpire', KEYS[1], ARGV[1]) end
return {n, redis.call('pttl', KEYS[1])}`

const nothing = () => {}

/**
 * The same across processes, under names that begin with `prefix`. While Redis is away counters allow everything and messages are lost;
 * callers bound what that costs. A process hears its own messages at once, whatever Redis does.
 */
export async function sharedInRedis(url: string, prefix: string, log: Logger): Promise<Shared> {
  const client = createClient({ url, disableOfflineQueue: true })
  client.on('error', (err) => log.warn({ err }, 'Redis is away; rate limits are off until it is back'))
  await client.connect()
  const subscriber = client.duplicate()
  subscriber.on('error', () => {})
  await subscriber.connect()
  const local = sharedInMemory()
  const self = crypto.randomUUID()
  const keysOf = (key: string) => ['', ':paused', ':line'].map((part) => `${prefix}turns:{${key}}${part}`)
  /** Keys whose turns were taken without Redis meanwhile: what it knows of them is not all. */
  const strayed = new Set<string>()

  /** The milliseconds to wait; undefined while Redis is away. */
  async function askTurn(place: string, key: string, windows: readonly Window[], options: PeekOptions): Promise<number | undefined> {
    const keys = keysOf(key)
    const ask = async () => Number(await client.eval(TAKE_TURN, { keys, arguments: takeArguments(place, windows, options) }))
    try {
      if (strayed.has(key)) await client.del(keys[0]!)
      strayed.delete(key)
      const waitMs = await ask()
      if (waitMs >= 0) return waitMs
    } catch {
      strayed.add(key)
      return undefined
    }
    const ages = await options.remember!()
    await client.eval(REMEMBER_TURNS, { keys: keys.slice(0, 1), arguments: rememberArguments(windows, ages) }).catch(nothing)
    return askTurn(place, key, windows, options)
  }

  return {
    // Without Redis each process keeps the windows for itself: better than none.
    turns: {
      async take(key, windows, options = {}) {
        const place = crypto.randomUUID()
        const waitMs = await askTurn(place, key, windows, options)
        if (waitMs === undefined) return local.turns.take(key, windows, options)
        if (waitMs > 0) return notTaken(waitMs)
        const giveBack = { keys: [keysOf(key)[0]!], arguments: [place] }
        return { waitMs: 0, done: () => client.eval(GIVE_BACK_TURN, giveBack).then(nothing, nothing) }
      },
      async peek(key, windows, options = {}) {
        return (await askTurn('', key, windows, options)) ?? local.turns.peek(key, windows, options)
      },
      async pause(key, ms) {
        const pause = { keys: [keysOf(key)[1]!], arguments: [String(Math.ceil(ms))] }
        await client.eval(PAUSE_TURNS, pause).catch(() => local.turns.pause(key, ms))
      },
    },
    async hit(key, windowMs) {
      try {
        const [count, resetMs] = (await client.eval(HIT, { keys: [prefix + key], arguments: [String(windowMs)] })) as [number, number]
        return { count, resetMs }
      } catch {
        return { count: 0, resetMs: windowMs }
      }
    },
    async publish(channel, message) {
      await local.publish(channel, message)
      await client.publish(prefix + channel, `${self} ${message}`).catch((err) => log.warn({ err, channel }, 'a live message was lost'))
    },
    async subscribe(channel, listener) {
      const stopLocal = await local.subscribe(channel, listener)
      const others = (text: string) => {
        if (!text.startsWith(self)) listener(text.slice(text.indexOf(' ') + 1))
      }
      await subscriber.subscribe(prefix + channel, others)
      return () => {
        stopLocal()
        void subscriber.unsubscribe(prefix + channel, others).catch(() => {})
      }
    },
    async check() {
      await client.ping()
    },
    async close() {
      await Promise.allSettled([subscriber.close(), client.close(), local.close()])
    },
  }
}
