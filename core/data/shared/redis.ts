import type { Logger } from 'pino'
import { createClient } from 'redis'

/** Between two looks while it answers, and while it does not. */
const BEAT_MS = 250
const BEAT_AWAY_MS = 150
/** So many looks in a row without an answer make a Redis that is silent. Counted, not timed: what stalls this process says nothing of Redis. */
const TICK_MS = 125
const TICKS_MAX = 4
const CONNECT_MS = 1_000

type Client = ReturnType<typeof connectTo>

/** A Redis whose commands end in time: one that says nothing is given up after three quarters of a second, and left alone until it answers again. */
export interface Redis {
  /** What the command answers. Rejects at once while Redis is away, and as soon as it is known to be. */
  ask<V>(command: (client: Client) => Promise<V>): Promise<V>
  /** Hears a channel, also after Redis was away; what was said meanwhile is lost. Gives back how to stop. */
  listen(channel: string, listener: (message: string) => void): () => void
  close(): Promise<void>
}

interface Pair {
  readonly client: Client
  /** What listens can ask nothing else. */
  readonly ear: Client
}

/** Starts without a Redis that is away, and says so. */
export async function openRedis(url: string, log: Logger): Promise<Redis> {
  const listeners = new Map<string, Set<(message: string) => void>>()
  const hear = (message: string, channel: string) => {
    for (const listener of listeners.get(channel) ?? []) listener(message)
  }
  let pair: Pair | null = null
  let stopped = false

  async function dial(): Promise<Pair> {
    const fresh = { client: connectTo(url), ear: connectTo(url) }
    try {
      await inTime(Promise.all([fresh.client.connect(), fresh.ear.connect()]))
      const channels = [...listeners.keys()]
      if (channels.length > 0) await inTime(fresh.ear.subscribe(channels, hear))
      await inTime(fresh.client.ping())
      return fresh
    } catch (error) {
      hangUp(fresh)
      throw error
    }
  }

  function enter(fresh: Pair) {
    if (stopped) return hangUp(fresh)
    pair = fresh
    for (const end of [fresh.client, fresh.ear]) end.on('error', (error) => leave(fresh, error))
  }

  function leave(lost: Pair, cause: unknown) {
    if (pair !== lost || stopped) return
    pair = null
    hangUp(lost)
    log.warn({ err: cause }, 'Redis does not answer; this process counts for itself until it does')
  }

  async function watch() {
    while (!stopped) {
      await Bun.sleep(pair ? BEAT_MS : BEAT_AWAY_MS)
      if (stopped) return
      const known = pair
      if (known) await inTime(Promise.all([known.client.ping(), known.ear.ping()])).catch((error) => leave(known, error))
      else await dial().then(returned, () => {})
    }
  }

  function returned(fresh: Pair) {
    enter(fresh)
    log.info('Redis answers again')
  }

  await dial().then(enter, (err) => log.error({ err }, 'Redis does not answer; this process counts for itself until it does'))
  void watch()
  return {
    ask: async (command) => (pair ? command(pair.client) : Promise.reject(new Error('Redis is away.'))),
    listen(channel, listener) {
      const all = listeners.get(channel) ?? new Set()
      const isFirst = all.size === 0
      listeners.set(channel, all.add(listener))
      const known = pair
      if (known && isFirst) known.ear.subscribe(channel, hear).catch((error) => leave(known, error))
      return () => {
        all.delete(listener)
        if (all.size > 0 || listeners.get(channel) !== all) return
        listeners.delete(channel)
        pair?.ear.unsubscribe(channel, hear).catch(() => {})
      }
    },
    async close() {
      stopped = true
      const last = pair
      pair = null
      if (last) await inTime(Promise.all([last.client.close(), last.ear.close()])).catch(() => hangUp(last))
    },
  }
}

/** It never connects again by itself: one that was silent may stay so, and a new one is made. */
function connectTo(url: string) {
  const client = createClient({ url, disableOfflineQueue: true, socket: { connectTimeout: CONNECT_MS, reconnectStrategy: false } })
  client.on('error', () => {})
  return client
}

function hangUp({ client, ear }: Pair) {
  for (const end of [client, ear]) {
    try {
      end.destroy()
    } catch {
      // It was closed already.
    }
  }
}

async function inTime<V>(work: Promise<V>): Promise<V> {
  const outcome = work.then((value) => ({ value }))
  for (let tick = 0; tick < TICKS_MAX; tick += 1) {
    const heard = await Promise.race([outcome, Bun.sleep(TICK_MS)])
    if (heard) return heard.value
  }
  outcome.catch(() => {})
  throw new Error('It is silent.')
}
