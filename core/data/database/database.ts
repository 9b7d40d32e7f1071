import type { Logger } from 'pino'
import { type Connection, connect, isPooled, type Sql } from '../sql.ts'

/** Between two looks while it answers, and while it does not. */
const BEAT_MS = 500
const BEAT_AWAY_MS = 150
/** So many looks in a row without an answer make a database that is silent. Counted, not timed: what stalls this process says nothing of the database. */
const TICK_MS = 500
const TICKS_MAX = 6

/** A database whose pools give up at once, with an error that callers see as 503, from a moment after it stops to answer until it does again. */
export interface Database {
  /** Whether a pooler stands before it that gives each transaction another session. */
  readonly pooled?: boolean
  /** A pool of connections to it; its own `end` closes it. */
  pool(connections: number): Sql
  /** Calls `listener` whenever it answers again after it was away; gives back how to stop that. */
  onReturn(listener: () => void): () => void
  /** Calls `heard` at each notification on the channel, also after it was away. Rejects where the first connection cannot listen (a pooler). */
  listen(channel: string, heard: () => void): Promise<() => Promise<void>>
  stop(): Promise<void>
}

/** Of pools, what the driver's patch adds to them. */
type Droppable = Sql & { drop(error: Error): void }

/** Whether an error says that no connection can be made, or one was lost; anything else that a database says proves that it is there. */
export const isAway = (error: unknown) => AWAY.test(String((error as { code?: unknown } | null)?.code ?? ''))
const AWAY = /^(CONNECT|CONNECTION_|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOENT|ENOTFOUND|EAI_|08|57P0)/

/** Watches over a connection of its own whether the database answers: one that is gone is known at once, a frozen one after three seconds. */
export function openDatabase(connection: Connection, log: Logger): Database {
  const pools: Droppable[] = []
  const listeners = new Set<() => void>()
  let pulse = connectPulse(connection)
  let away: Error | null = null
  let stopped = false

  async function look(): Promise<Error | null> {
    const failure = await feel(pulse)
    if (!failure) return null
    // A single connection may be ended by anybody: only a new one tells.
    void pulse.end({ timeout: 0 }).catch(() => {})
    pulse = connectPulse(connection)
    return away ? failure : feel(pulse)
  }

  async function watch() {
    while (!stopped) {
      const failure = await look()
      if (stopped) return
      if (failure && !away) leave(failure)
      if (!failure && away) {
        away = null
        log.info('the database answers again')
        for (const listener of listeners) listener()
      }
      await Bun.sleep(away ? BEAT_AWAY_MS : BEAT_MS)
    }
  }

  function leave(cause: Error) {
    away = Object.assign(new Error('The database does not answer.', { cause }), { code: 'CONNECTION_AWAY' })
    log.warn({ err: cause }, 'the database does not answer; requests that need it are refused until it does')
    for (const pool of pools) pool.drop(away)
  }

  const onReturn: Database['onReturn'] = (listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  const watching = watch()
  return {
    onReturn,
    pooled: isPooled(connection),
    async listen(channel, heard) {
      if (isPooled(connection)) throw new Error('Behind a pooler nobody can listen to the database.')
      let ear = connect(connection, 1)
      await ear.listen(channel, heard)
      // The old connection may be one that says nothing any more, and does not know it.
      const forget = onReturn(() => {
        void ear.end({ timeout: 0 }).catch(() => {})
        ear = connect(connection, 1)
        ear.listen(channel, heard).catch((err) => log.warn({ err, channel }, 'cannot listen to the database any more'))
        heard()
      })
      return async () => {
        forget()
        await ear.end({ timeout: 0 })
      }
    },
    pool(connections) {
      const pool = connect(connection, connections, () => away) as Droppable
      pools.push(pool)
      return pool
    },
    async stop() {
      stopped = true
      await pulse.end({ timeout: 0 })
      await watching
    },
  }
}

const connectPulse = (connection: Connection) => connect(connection, 1, undefined, { connect_timeout: 3 })

/** Null where it answers. */
async function feel(pulse: Sql): Promise<Error | null> {
  const answer = pulse`select 1`.then(
    () => null,
    (error: Error) => (isAway(error) ? error : null),
  )
  for (let tick = 0; tick < TICKS_MAX; tick += 1) {
    const heard = await Promise.race([answer, Bun.sleep(TICK_MS).then(() => undefined)])
    if (heard !== undefined) return heard
  }
  return Object.assign(new Error('It is silent.'), { code: 'CONNECTION_SILENT' })
}
