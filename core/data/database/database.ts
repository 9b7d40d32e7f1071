import type { Logger } from 'pino'
import { type Connection, connectPool, isPooled, type Sql } from '../sql.ts'

/** Interval of health checks while the database answers. */
const BEAT_MS = 500
/** Interval of health checks while it does not. */
const BEAT_AWAY_MS = 150
/**
 * Ticks without a response after which the database is down. They are counted, not timed, because a pause of this process says nothing
 * about the database.
 */
const TICK_MS = 500
const TICKS_MAX = 6

/** Database whose pools fail at once while it is down. Callers see error code `CONNECTION_AWAY`, which becomes a 503. */
export interface Database {
  /** True if a transaction pooler stands before the database. */
  readonly hasPooler?: boolean
  /** Opens a pool of connections. Close it with its own `end`. */
  pool(connections: number): Sql
  /** Calls `listener` each time the database answers again after an outage. Returns a function that unsubscribes. */
  onReconnect(listener: () => void): () => void
  /**
   * Calls `heard` at each notification on the channel, and after each outage. Rejects behind a pooler, or if the first connection fails.
   */
  listen(channel: string, heard: () => void): Promise<() => Promise<void>>
  stop(): Promise<void>
}

/** Pool with the method that the patched driver adds. */
type Droppable = Sql & { drop(error: Error): void }

/** Returns true if an error means that the database cannot be reached. Any other database error proves that it answers. */
export const isConnectionError = (error: unknown) => AWAY.test(String((error as { code?: unknown } | null)?.code ?? ''))
const AWAY = /^(CONNECT|CONNECTION_|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOENT|ENOTFOUND|EAI_|08|57P0)/

/** Watches the database over a connection of its own. Detects a closed one at once, and a frozen one after three seconds. */
export const openDatabase = (connection: Connection, log: Logger): Database => new WatchedDatabase(connection, log)

class WatchedDatabase implements Database {
  readonly hasPooler: boolean
  readonly #pools: Droppable[] = []
  readonly #listeners = new Set<() => void>()
  readonly #watching: Promise<void>
  #heartbeat: Sql
  #away: Error | null = null
  #isStopped = false

  constructor(
    readonly connection: Connection,
    readonly log: Logger,
  ) {
    this.hasPooler = isPooled(connection)
    this.#heartbeat = connectHeartbeat(connection)
    this.#watching = this.#watch()
  }

  onReconnect(listener: () => void) {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async listen(channel: string, heard: () => void) {
    if (this.hasPooler) throw new Error('A connection behind a pooler cannot listen to the database.')
    let subscription = connectPool(this.connection, 1)
    await subscription.listen(channel, heard)
    // Replaces the connection, which may be dead without an error.
    const unsubscribe = this.onReconnect(() => {
      void subscription.end({ timeout: 0 }).catch(() => {})
      subscription = connectPool(this.connection, 1)
      subscription.listen(channel, heard).catch((err) => this.log.warn({ err, channel }, 'cannot listen to the database any more'))
      heard()
    })
    return async () => {
      unsubscribe()
      await subscription.end({ timeout: 0 })
    }
  }

  pool(connections: number) {
    const pool = connectPool(this.connection, connections, () => this.#away) as Droppable
    this.#pools.push(pool)
    return pool
  }

  async stop() {
    this.#isStopped = true
    await this.#heartbeat.end({ timeout: 0 })
    await this.#watching
  }

  async #watch() {
    while (!this.#isStopped) {
      const failure = await this.#check()
      if (this.#isStopped) return
      if (failure && !this.#away) this.#markAway(failure)
      if (!failure && this.#away) this.#markBack()
      await Bun.sleep(this.#away ? BEAT_AWAY_MS : BEAT_MS)
    }
  }

  async #check(): Promise<Error | null> {
    const failure = await ping(this.#heartbeat)
    if (!failure) return null
    // Checks again over a new connection, since a single one may be closed for other reasons.
    void this.#heartbeat.end({ timeout: 0 }).catch(() => {})
    this.#heartbeat = connectHeartbeat(this.connection)
    return this.#away ? failure : ping(this.#heartbeat)
  }

  #markAway(cause: Error) {
    const away = Object.assign(new Error('The database does not answer.', { cause }), { code: 'CONNECTION_AWAY' })
    this.#away = away
    this.log.warn({ err: cause }, 'the database does not answer; requests that need it are refused until it does')
    for (const pool of this.#pools) pool.drop(away)
  }

  #markBack() {
    this.#away = null
    this.log.info('the database answers again')
    for (const listener of this.#listeners) listener()
  }
}

const connectHeartbeat = (connection: Connection) => connectPool(connection, 1, undefined, { connect_timeout: 3 })

/** Checks the connection. Returns null if the database answers. */
async function ping(pulse: Sql): Promise<Error | null> {
  const answer = pulse`select 1`.then(
    () => null,
    (error: Error) => (isConnectionError(error) ? error : null),
  )
  for (let tick = 0; tick < TICKS_MAX; tick += 1) {
    const heard = await Promise.race([answer, Bun.sleep(TICK_MS).then(() => undefined)])
    if (heard !== undefined) return heard
  }
  return Object.assign(new Error('It is silent.'), { code: 'CONNECTION_SILENT' })
}
