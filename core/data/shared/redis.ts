import type { Logger } from 'pino'

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

type Library = typeof import('redis')
type Client = ReturnType<typeof createClientOf>

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
  // Loaded only where a Redis is used: it takes 24 MB.
  const redis = new WatchedRedis(await import('redis'), url, log)
  await redis.start()
  return redis
}

type Listener = (message: string) => void

/** Pair of clients that is replaced whenever it stops answering. */
class WatchedRedis implements Redis {
  readonly #listeners = new Map<string, Set<Listener>>()
  #pair: Pair | null = null
  #isStopped = false

  constructor(
    readonly library: Library,
    readonly url: string,
    readonly log: Logger,
  ) {}

  async start() {
    await this.#connect().then(
      (fresh) => this.#use(fresh),
      (err) => this.log.error({ err }, 'Redis does not answer; this process counts for itself until it does'),
    )
    void this.#watch()
  }

  async run<V>(command: (client: Client) => Promise<V>): Promise<V> {
    if (!this.#pair) throw new Error('Redis is away.')
    return command(this.#pair.client)
  }

  subscribe(channel: string, listener: Listener): () => void {
    const all = this.#listeners.get(channel) ?? new Set()
    const isFirst = all.size === 0
    this.#listeners.set(channel, all.add(listener))
    const known = this.#pair
    if (known && isFirst) known.subscriber.subscribe(channel, this.#dispatch).catch((error) => this.#drop(known, error))
    return () => {
      all.delete(listener)
      if (all.size > 0 || this.#listeners.get(channel) !== all) return
      this.#listeners.delete(channel)
      this.#pair?.subscriber.unsubscribe(channel, this.#dispatch).catch(() => {})
    }
  }

  async close() {
    this.#isStopped = true
    const last = this.#pair
    this.#pair = null
    if (last) await withTimeout(Promise.all([last.client.close(), last.subscriber.close()])).catch(() => destroyPair(last))
  }

  readonly #dispatch = (message: string, channel: string) => {
    for (const listener of this.#listeners.get(channel) ?? []) listener(message)
  }

  async #connect(): Promise<Pair> {
    const fresh = { client: createClientOf(this.library, this.url), subscriber: createClientOf(this.library, this.url) }
    try {
      await withTimeout(Promise.all([fresh.client.connect(), fresh.subscriber.connect()]))
      const channels = [...this.#listeners.keys()]
      if (channels.length > 0) await withTimeout(fresh.subscriber.subscribe(channels, this.#dispatch))
      await withTimeout(fresh.client.ping())
      return fresh
    } catch (error) {
      destroyPair(fresh)
      throw error
    }
  }

  #use(fresh: Pair) {
    if (this.#isStopped) return destroyPair(fresh)
    this.#pair = fresh
    for (const end of [fresh.client, fresh.subscriber]) end.on('error', (error) => this.#drop(fresh, error))
  }

  #drop(lost: Pair, cause: unknown) {
    if (this.#pair !== lost || this.#isStopped) return
    this.#pair = null
    destroyPair(lost)
    this.log.warn({ err: cause }, 'Redis does not answer; this process counts for itself until it does')
  }

  async #watch() {
    while (!this.#isStopped) {
      await Bun.sleep(this.#pair ? BEAT_MS : BEAT_AWAY_MS)
      if (this.#isStopped) return
      await (this.#pair ? this.#check(this.#pair) : this.#reconnect())
    }
  }

  async #check(pair: Pair) {
    await withTimeout(Promise.all([pair.client.ping(), pair.subscriber.ping()])).catch((error) => this.#drop(pair, error))
  }

  async #reconnect() {
    const fresh = await this.#connect().catch(() => null)
    if (!fresh) return
    this.#use(fresh)
    this.log.info('Redis answers again')
  }
}

/** Creates a client that never reconnects by itself. A new one replaces it. */
function createClientOf({ createClient }: Library, url: string) {
  const client = createClient({ url, disableOfflineQueue: true, socket: { connectTimeout: CONNECT_MS, reconnectStrategy: false } })
  client.on('error', () => {})
  return client
}

function destroyPair({ client, subscriber }: Pair) {
  for (const end of [client, subscriber]) {
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
    const settled = await Promise.race([outcome, Bun.sleep(TICK_MS)])
    if (settled) return settled.value
  }
  outcome.catch(() => {})
  throw new Error('It is silent.')
}
