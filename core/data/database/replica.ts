import type { Logger } from 'pino'
import { type Connection, connect, type Sql } from '../sql.ts'
import { currentTenant } from '../tenant-context.ts'
import { isAway } from './database.ts'

/** What a read that may be old is behind at most. */
const AGE_MAX_MS = 1_000
const LOOK_MS = 250
/** A replica that says nothing for so long is given up until it does, with all that it was asked. */
const SILENT_MS = 2_000
const WRITERS_MAX = 50_000

type State = 'ok' | 'behind' | 'unreachable'

export interface Replica {
  /** How it is, for people. */
  readonly state: State
  stop(): Promise<void>
}

interface Standing extends Replica {
  readonly sql: Sql & { drop(error: Error): void }
  /** All that was written before this moment is there; by the clock of this process. */
  readonly provenAt: number
  /** Until when whoever wrote reads what he wrote: by then it is there. */
  readonly writers: Map<string, number>
}

const replicas = new WeakMap<Sql, Standing>()

/**
 * Watches a replica of the database, and lets reads that may be old go there while it is known to be at most a second behind: where the
 * primary stood is remembered with the time, and looked for at the replica, so no clock is compared with another one's.
 */
export function openReplica(connection: Connection, primary: Sql, watch: Sql, connections: number, log: Logger): Replica {
  const sql = connect(connection, connections) as Standing['sql']
  let pulse = connect(connection, 1, undefined, { connect_timeout: 2 })
  let marks: { readonly at: number; readonly place: bigint }[] = []
  let [provenAt, heardAt, stopped] = [0, Date.now(), false]
  let told: State = 'ok'
  const stateNow = (): State => (Date.now() - provenAt <= AGE_MAX_MS ? 'ok' : Date.now() - heardAt < SILENT_MS ? 'behind' : 'unreachable')

  async function look() {
    const at = Date.now()
    const [[ahead], [behind]] = await inTime(Promise.all([watch<Place[]>`select pg_current_wal_lsn()::text as place`, replayed(pulse)]))
    heardAt = Date.now()
    marks.push({ at, place: placeOf(ahead?.place) })
    const reached = placeOf(behind?.place)
    provenAt = Math.max(provenAt, marks.findLast(({ place }) => place <= reached)?.at ?? 0)
    marks = marks.filter((mark) => mark.at > provenAt).slice(-1_000)
  }

  async function goOn() {
    while (!stopped) {
      await look().catch(() => {
        void pulse.end({ timeout: 0 }).catch(() => {})
        pulse = connect(connection, 1, undefined, { connect_timeout: 2 })
      })
      tell()
      await Bun.sleep(LOOK_MS)
    }
  }

  function tell() {
    const state = stateNow()
    if (state === 'unreachable') sql.drop(Object.assign(new Error('The replica does not answer.'), { code: 'CONNECTION_AWAY' }))
    if (state === told || stopped) return
    told = state
    if (state === 'ok') log.info('the replica is up to date again')
    else log.warn({ state }, 'the replica is not up to date; all is read from the primary until it is')
  }

  const going = goOn()
  const standing: Standing = {
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
      await going
    },
  }
  replicas.set(primary, standing)
  return standing
}

interface Place {
  readonly place: string | null
}

/** Of a server that is no replica any more, nothing: it may have gone another way than the primary. */
const replayed = (sql: Sql) => sql<Place[]>`select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as place`

/** `16/B374D848`, as a number. */
function placeOf(text: string | null | undefined): bigint {
  const [high, low] = (text ?? '').split('/')
  if (!high || !low) throw new Error('The database does not say where it stands.')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

const inTime = <V>(work: Promise<V>): Promise<V> =>
  Promise.race([
    work,
    Bun.sleep(SILENT_MS).then(() => {
      throw new Error('No answer in time.')
    }),
  ])

/** How the replica of this pool's database is; undefined where there is none. */
export const replicaState = (sql: Sql): State | undefined => replicas.get(sql)?.state

/** Notes that whoever is worked for now has written something, or does so for `ms`: what he reads next is not to be without it. */
export function noteWrite(sql: Sql, ms = 0): void {
  const writers = replicas.get(sql)?.writers
  if (!writers) return
  const now = Date.now()
  if (writers.size >= WRITERS_MAX) for (const [owner, until] of writers) if (until < now) writers.delete(owner)
  writers.set(currentTenant(), now + ms + AGE_MAX_MS)
}

/** Reads what may be a second old: from the replica, unless that is behind or whoever asks has just written something. */
export async function readLately<V>(sql: Sql, read: (from: Sql) => Promise<V>): Promise<V> {
  const replica = replicas.get(sql)
  if (replica?.state !== 'ok' || (replica.writers.get(currentTenant()) ?? 0) > Date.now()) return read(sql)
  try {
    return await read(replica.sql)
  } catch (error) {
    // It was lost meanwhile, or had to go on with what the primary sent.
    if (isAway(error) || CONFLICTS.has(String((error as { code?: unknown }).code))) return read(sql)
    throw error
  }
}

const CONFLICTS = new Set(['40001', '40P01', '25006'])
