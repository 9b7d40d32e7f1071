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
export function openDatabase(connection: Connection, log: Logger): Database {
  const pools: Droppable[] = []
  const listeners = new Set<() => void>()
  let heartbeat = connectHeartbeat(connection)
  let away: Error | null = null
  let stopped = false

  async function checkConnection(): Promise<Error | null> {
    const failure = await ping(heartbeat)
    if (!failure) return null
    // Checks again over a new connection, since a single one may be closed for other reasons.
    void heartbeat.end({ timeout: 0 }).catch(() => {})
    heartbeat = connectHeartbeat(connection)
    return away ? failure : ping(heartbeat)
  }

  async function watch() {
    while (!stopped) {
      const failure = await checkConnection()
      if (stopped) return
      if (failure && !away) markAway(failure)
      if (!failure && away) {
        away = null
        log.info('the database answers again')
        for (const listener of listeners) listener()
      }
      await Bun.sleep(away ? BEAT_AWAY_MS : BEAT_MS)
    }
  }

  function markAway(cause: Error) {
    away = Object.assign(new Error('The database does not answer.', { cause }), { code: 'CONNECTION_AWAY' })
    log.warn({ err: cause }, 'the database does not answer; requests that need it are refused until it does')
    for (const pool of pools) pool.drop(away)
  }

  const onReturn: Database['onReconnect'] = (listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  const watching = watch()
  return {
    onReconnect: onReturn,
    hasPooler: isPooled(connection),
    async listen(channel, heard) {
      if (isPooled(connection)) throw new Error('A connection behind a pooler cannot listen to the database.')
      let subscription = connectPool(connection, 1)
      await subscription.listen(channel, heard)
      // Replaces the connection, which may be dead without an error.
      const forget = onReturn(() => {
        void subscription.end({ timeout: 0 }).catch(() => {})
        subscription = connectPool(connection, 1)
        subscription.listen(channel, heard).catch((err) => log.warn({ err, channel }, 'cannot listen to the database any more'))
        heard()
      })
      return async () => {
        forget()
        await subscription.end({ timeout: 0 })
      }
    },
    pool(connections) {
      const pool = connectPool(connection, connections, () => away) as Droppable
      pools.push(pool)
      return pool
    },
    async stop() {
      stopped = true
      await heartbeat.end({ timeout: 0 })
      await watching
    },
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
