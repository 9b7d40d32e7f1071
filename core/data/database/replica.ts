import type { Logger } from 'pino'
import { type Connection, connectPool, type Sql } from '../sql.ts'
import { currentTenant } from '../tenant-context.ts'
import { isConnectionError } from './database.ts'

/** Maximum lag of reads from the replica, in milliseconds. */
const AGE_MAX_MS = 1_000
const POLL_MS = 250
/** Milliseconds without a response after which the replica is unreachable, and its pending queries are dropped. */
const SILENT_MS = 2_000
const WRITERS_MAX = 50_000

type State = 'ok' | 'behind' | 'unreachable'

/** Replica that is watched for its lag. */
export interface Replica {
  /** Current state, for health reports. */
  readonly state: State
  stop(): Promise<void>
}

interface WatchedReplica extends Replica {
  readonly sql: Sql & { drop(error: Error): void }
  /** Moment up to which all writes are on the replica, by the clock of this process. */
  readonly provenAt: number
  /** Owners that have written recently, and the moment until which they read from the primary. */
  readonly writers: Map<string, number>
}

const replicas = new WeakMap<Sql, WatchedReplica>()

/**
 * Watches a replica and uses it for reads while its lag is at most a second. Records the primary's WAL position with the local time, then
 * checks when the replica reaches it. No two clocks are compared.
 */
export function openReplica(connection: Connection, primary: Sql, watch: Sql, connections: number, log: Logger): Replica {
  const sql = connectPool(connection, connections) as WatchedReplica['sql']
  let pulse = connectPool(connection, 1, undefined, { connect_timeout: 2 })
  let marks: { readonly at: number; readonly place: bigint }[] = []
  let [provenAt, heardAt, stopped] = [0, Date.now(), false]
  let reportedState: State = 'ok'
  const stateNow = (): State => (Date.now() - provenAt <= AGE_MAX_MS ? 'ok' : Date.now() - heardAt < SILENT_MS ? 'behind' : 'unreachable')

  async function measureLag() {
    const at = Date.now()
    const [[ahead], [behind]] = await withTimeout(
      Promise.all([watch<WalPosition[]>`select pg_current_wal_lsn()::text as place`, readReplayPosition(pulse)]),
    )
    heardAt = Date.now()
    marks.push({ at, place: parsePosition(ahead?.place) })
    const reached = parsePosition(behind?.place)
    provenAt = Math.max(provenAt, marks.findLast(({ place }) => place <= reached)?.at ?? 0)
    marks = marks.filter((mark) => mark.at > provenAt).slice(-1_000)
  }

  async function watchLag() {
    while (!stopped) {
      await measureLag().catch(() => {
        void pulse.end({ timeout: 0 }).catch(() => {})
        pulse = connectPool(connection, 1, undefined, { connect_timeout: 2 })
      })
      reportState()
      await Bun.sleep(POLL_MS)
    }
  }

  function reportState() {
    const state = stateNow()
    if (state === 'unreachable') sql.drop(Object.assign(new Error('The replica does not answer.'), { code: 'CONNECTION_AWAY' }))
    if (state === reportedState || stopped) return
    reportedState = state
    if (state === 'ok') log.info('the replica is up to date again')
    else log.warn({ state }, 'the replica is not up to date; all is read from the primary until it is')
  }

  const watching = watchLag()
  const watched: WatchedReplica = {
    sql,
    writers: new Map(),
    get provenAt() {
      return provenAt
    },
    get state() {
      return stateNow()
    },
    async stop() {
      stopped = true
      replicas.delete(primary)
      await Promise.all([pulse.end({ timeout: 0 }), sql.end({ timeout: 5 })])
      await watching
    },
  }
  replicas.set(primary, watched)
  return watched
}

interface WalPosition {
  readonly place: string | null
}

/** Reads the replica's WAL position. Null if the server is no longer a replica: its history may have diverged from the primary's. */
const readReplayPosition = (sql: Sql) =>
  sql<WalPosition[]>`select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as place`

/** Parses a WAL position such as `16/B374D848` into a number. */
function parsePosition(text: string | null | undefined): bigint {
  const [high, low] = (text ?? '').split('/')
  if (!high || !low) throw new Error('The database does not say where it stands.')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

const withTimeout = <V>(work: Promise<V>): Promise<V> =>
  Promise.race([
    work,
    Bun.sleep(SILENT_MS).then(() => {
      throw new Error('No answer in time.')
    }),
  ])

/** Returns the state of the replica of this pool's database. Undefined if it has none. */
export const replicaState = (sql: Sql): State | undefined => replicas.get(sql)?.state

/** Records that the current tenant writes now, or for the next `ms` milliseconds. Its next reads go to the primary. */
export function recordWrite(sql: Sql, ms = 0): void {
  const writers = replicas.get(sql)?.writers
  if (!writers) return
  const now = Date.now()
  if (writers.size >= WRITERS_MAX) for (const [owner, until] of writers) if (until < now) writers.delete(owner)
  writers.set(currentTenant(), now + ms + AGE_MAX_MS)
}

/**
 * Reads data that may be a second old. Uses the replica, unless it lags or the current tenant has just written. Falls back to the primary.
 */
export async function readFromReplica<V>(sql: Sql, read: (from: Sql) => Promise<V>): Promise<V> {
  const replica = replicas.get(sql)
  if (replica?.state !== 'ok' || (replica.writers.get(currentTenant()) ?? 0) > Date.now()) return read(sql)
  try {
    return await read(replica.sql)
  } catch (error) {
    // The connection was lost, or the query conflicted with replication.
    if (isConnectionError(error) || CONFLICTS.has(String((error as { code?: unknown }).code))) return read(sql)
    throw error
  }
}

const CONFLICTS = new Set(['40001', '40P01', '25006'])
