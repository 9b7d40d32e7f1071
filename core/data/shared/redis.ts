import type { Logger } from 'pino'
import { createClient } from 'redis'

/** Milliseconds between health checks while Redis answers. */
const BEAT_MS = 250
/** Milliseconds between attempts to connect while it does not. */
const BEAT_AWAY_MS = 150
const TICK_MS = 125
/**
 * Ticks without a response after which Redis is down. They are counted, not timed, because a pause of this process says nothing about Redis.
 */
const TICKS_MAX = 4
const CONNECT_MS = 1_000

type Client = ReturnType<typeof connectTo>

/** Redis client whose commands end in time. It gives up after three quarters of a second and waits until Redis answers again. */
export interface Redis {
  /** Runs a command and returns its result. Rejects at once while Redis is down, and as soon as that is detected. */
  run<V>(command: (client: Client) => Promise<V>): Promise<V>
  /** Subscribes to a channel, also across reconnections. Messages sent meanwhile are lost. Returns a function that unsubscribes. */
  subscribe(channel: string, listener: (message: string) => void): () => void
  close(): Promise<void>
}

interface Pair {
  readonly client: Client
  /** Client for subscriptions, which cannot run other commands. */
  readonly subscriber: Client
}

/** Opens the client. Starts and logs an error if Redis is down. */
export async function openRedis(url: string, log: Logger): Promise<Redis> {
  const listeners = new Map<string, Set<(message: string) => void>>()
  const dispatch = (message: string, channel: string) => {
    for (const listener of listeners.get(channel) ?? []) listener(message)
  }
  let pair: Pair | null = null
  let stopped = false

  async function connectPair(): Promise<Pair> {
    const fresh = { client: connectTo(url), subscriber: connectTo(url) }
    try {
      await withTimeout(Promise.all([fresh.client.connect(), fresh.subscriber.connect()]))
      const channels = [...listeners.keys()]
      if (channels.length > 0) await withTimeout(fresh.subscriber.subscribe(channels, dispatch))
      await withTimeout(fresh.client.ping())
      return fresh
    } catch (error) {
      destroyPair(fresh)
      throw error
    }
  }

  function usePair(fresh: Pair) {
    if (stopped) return destroyPair(fresh)
    pair = fresh
    for (const end of [fresh.client, fresh.subscriber]) end.on('error', (error) => dropPair(fresh, error))
  }

  function dropPair(lost: Pair, cause: unknown) {
    if (pair !== lost || stopped) return
    pair = null
    destroyPair(lost)
    log.warn({ err: cause }, 'Redis does not answer; this process counts for itself until it does')
  }

  async function watch() {
    while (!stopped) {
      await Bun.sleep(pair ? BEAT_MS : BEAT_AWAY_MS)
      if (stopped) return
      const known = pair
      if (known) await withTimeout(Promise.all([known.client.ping(), known.subscriber.ping()])).catch((error) => dropPair(known, error))
      else await connectPair().then(resumeWith, () => {})
    }
  }

  function resumeWith(fresh: Pair) {
    usePair(fresh)
    log.info('Redis answers again')
  }

  await connectPair().then(usePair, (err) => log.error({ err }, 'Redis does not answer; this process counts for itself until it does'))
  void watch()
  return {
    run: async (command) => (pair ? command(pair.client) : Promise.reject(new Error('Redis is away.'))),
    subscribe(channel, listener) {
      const all = listeners.get(channel) ?? new Set()
      const isFirst = all.size === 0
      listeners.set(channel, all.add(listener))
      const known = pair
      if (known && isFirst) known.subscriber.subscribe(channel, dispatch).catch((error) => dropPair(known, error))
      return () => {
        all.delete(listener)
        if (all.size > 0 || listeners.get(channel) !== all) return
        listeners.delete(channel)
        pair?.subscriber.unsubscribe(channel, dispatch).catch(() => {})
      }
    },
    async close() {
      stopped = true
      const last = pair
      pair = null
      if (last) await withTimeout(Promise.all([last.client.close(), last.subscriber.close()])).catch(() => destroyPair(last))
    },
  }
}

/** Creates a client that never reconnects by itself. A new one replaces it. */
function connectTo(url: string) {
  const client = createClient({ url, disableOfflineQueue: true, socket: { connectTimeout: CONNECT_MS, reconnectStrategy: false } })
  client.on('error', () => {})
  return client
}

function destroyPair({ client, subscriber: ear }: Pair) {
  for (const end of [client, ear]) {
    try {
      end.destroy()
    } catch {
      // The client was already closed.
    }
  }
}

async function withTimeout<V>(work: Promise<V>): Promise<V> {
  const outcome = work.then((value) => ({ value }))
  for (let tick = 0; tick < TICKS_MAX; tick += 1) {
    const heard = await Promise.race([outcome, Bun.sleep(TICK_MS)])
    if (heard) return heard.value
  }
  outcome.catch(() => {})
  throw new Error('It is silent.')
}
