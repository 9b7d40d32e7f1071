import postgres from 'postgres'
import { FairQueue } from '../lib/async/fair-queue.ts'
import { currentTenant } from './tenant-context.ts'

const UTC_TEXT = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.(\d+))?\+00$/

/** What PostgreSQL writes of a moment in UTC, as ISO 8601 with milliseconds; without a Date, since lists have many. */
function isoText(text: string): string {
  const match = UTC_TEXT.exec(text)
  if (!match) return new Date(text).toISOString()
  return `${match[1]}T${match[2]}.${(match[3] ?? '').slice(0, 3).padEnd(3, '0')}Z`
}

/** Rows come with camelCase keys, timestamps as ISO text, `numeric` as text, `bigint` as numbers. */
const types = {
  date: {
    to: 1184,
    from: [1082, 1114, 1184],
    serialize: (value: Date | string) => (value instanceof Date ? value.toISOString() : value),
    parse: isoText,
  },
  int8: { to: 20, from: [20], serialize: (value: number | string) => String(value), parse: Number },
}

export type Sql = postgres.Sql
export type Tx = postgres.TransactionSql
/** What queries take: the pool, or the transaction they are part of. */
export type Queryable = postgres.ISql
export type { Row } from 'postgres'

/** A value as JSON, in a query. The library's type of JSON knows no interfaces. */
export const json = (sql: Queryable, value: unknown) => sql.json(value as postgres.JSONValue)
/** Columns with their values, in a query: of one row, or of several alike. What is undefined is null; what a column of JSON holds is written as such. */
export function row(sql: Queryable, values: object, columnsOfJson: readonly string[] = []) {
  const encoded = Object.entries(values).flatMap(([name, value]) =>
    columnsOfJson.includes(name) && value !== undefined && value !== null ? [[name, json(sql, value)] as const] : [],
  )
  const whole = encoded.length > 0 ? { ...values, ...Object.fromEntries(encoded) } : values
  return sql(whole as Record<string, postgres.SerializableParameter>)
}

/** The row that is known to be there. */
export function expectOne<V>([found]: readonly V[]): V {
  if (found === undefined) throw new Error('A row that is known to be there is not.')
  return found
}

/** An address, or the embedded server's socket. `pooled`: a pooler stands there that gives each transaction another session. */
export type Connection =
  | { readonly url: string; readonly pooled?: boolean }
  | { readonly socketDir: string; readonly port: number; readonly user: string; readonly database: string }

/** For libraries that bring a driver of their own. */
export const connectionString = (to: Connection): string =>
  'url' in to ? to.url : `postgresql://${to.user}@/${to.database}?host=${encodeURIComponent(to.socketDir)}&port=${to.port}`

/** A lost connection is made anew after so long, however often that failed: whoever waits for it is told soon. */
const RECONNECT_SECONDS = 0.2
/** Of every session; poolers hand on these. */
const SESSION = { application_name: 'serai', TimeZone: 'UTC' }
const PATIENCE = {
  // Nobody waits for ever, whatever holds them up: a lock of a process that stands still, or a plan that went wrong.
  statement_timeout: 60_000,
  lock_timeout: 20_000,
  idle_in_transaction_session_timeout: 60_000,
}

/** Queries of one owner that may wait for a connection. */
const WAITING_MAX = 2_000

/** What waits for a connection, of each owner in turn: nobody's crowd keeps others waiting. */
function waitingInTurn() {
  const waiting = new FairQueue<Waiting>()
  return {
    get length() {
      return waiting.size
    },
    push(query: Waiting) {
      const owner = currentTenant()
      if (waiting.sizeOf(owner) < WAITING_MAX) waiting.push(owner, query)
      else query.reject(Object.assign(new Error('Too many queries of one owner wait.'), { code: 'CONNECTION_BUSY' }))
      return query
    },
    shift: () => waiting.shift()?.item,
    remove: (query: Waiting) => waiting.remove(query),
  }
}

interface Waiting {
  reject(error: Error): void
}

/** Whether nothing of a session outlives its transaction: prepared statements, settings, what it listens to. */
export const isPooled = (to: Connection): boolean => 'url' in to && to.pooled === true

let look: ((text: string, types: readonly number[]) => void) | undefined
/** Tells of each statement of every pool that is opened from now on, with what the driver knows of its parameters' types. For tests. */
export const observeStatements = (looking: typeof look) => {
  look = looking
}

/** `refuse`: an error for every query that is asked now, null where it may go. */
export function connect(
  connection: Connection,
  pool: number,
  refuse: () => Error | null = () => null,
  { connect_timeout = 10 }: { connect_timeout?: number } = {},
): Sql {
  const options = {
    types,
    max: pool,
    idle_timeout: 0,
    connect_timeout,
    backoff: () => RECONNECT_SECONDS,
    onnotice: () => {},
    transform: { column: { from: postgres.toCamel, to: postgres.fromCamel }, undefined: null },
    connection: isPooled(connection) ? SESSION : { ...SESSION, ...PATIENCE },
    // What one session has prepared the next does not know.
    prepare: !isPooled(connection),
    refuse,
    queue: waitingInTurn,
    // A pooler takes the session away after an answer, also when the next statement's description has been asked for by then: one at a time.
    max_pipeline: isPooled(connection) ? 0 : 4,
    ...(look && { debug: (_: number, text: string, __: unknown, types: number[]) => look?.(text, types) }),
  }
  if ('url' in connection) return postgres(connection.url, options)
  const { socketDir, port, user, database } = connection
  return postgres({ ...options, path: `${socketDir}/.s.PGSQL.${port}`, user, database })
}

/** Behind a pooler the patience of sessions is a setting of our role, for those that the pooler opens from now on. */
export async function setTimeouts(sql: Sql): Promise<void> {
  for (const [name, ms] of Object.entries(PATIENCE)) {
    const [found] = await sql<{ value: string }[]>`select setting as value from pg_settings where name = ${name}`
    if (found?.value !== String(ms))
      await sql.unsafe(
        `do $$ begin execute format('alter role current_user in database %I set ${name} = ${ms}', current_database()); end $$`,
      )
  }
}

/** What was read before a lock is not so any more under it: `transaction` begins anew. */
export class RetryTransaction extends Error {
  override readonly name = 'Again'
  readonly code = '40001'
}

/** Reads that may take their time: what goes through whole tables, at night. */
export const withoutStatementTimeout = <V>(sql: Sql, work: (tx: Tx) => Promise<V>): Promise<V> =>
  transaction(sql, async (tx) => {
    await tx`set local statement_timeout = 0`
    return work(tx)
  })

const RETRIED = new Set(['40001', '40P01'])
const ATTEMPTS = 6

/** One transaction, tried again when the database broke a deadlock or a serialisation conflict by choosing it, and on `Again`. */
export async function transaction<V>(sql: Sql, work: (tx: Tx) => Promise<V>): Promise<V> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await sql.begin(work)) as V
    } catch (error) {
      if (attempt === ATTEMPTS || !RETRIED.has(String((error as { code?: unknown }).code))) throw error
      await Bun.sleep(Math.random() * 20 * attempt)
    }
  }
}
