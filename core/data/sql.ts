import postgres from 'postgres'
import { FairQueue } from '../lib/async/fair-queue.ts'
import { currentTenant } from './tenant-context.ts'

/** Characters of a UTC timestamp with microseconds, of its date, and up to its milliseconds: `2026-11-28 04:22:33.123456+00`. */
const [UTC_CHARS, DATE_CHARS, MILLISECONDS_END] = [29, 10, 23]
const UTC_TEXT = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.(\d+))?\+00$/

/** Formats PostgreSQL's text of a UTC timestamp as ISO 8601 with milliseconds. Avoids Date, because lists contain many timestamps. */
function isoText(text: string): string {
  if (text.length === UTC_CHARS && text[DATE_CHARS] === ' ' && text.endsWith('+00'))
    return `${text.slice(0, DATE_CHARS)}T${text.slice(DATE_CHARS + 1, MILLISECONDS_END)}Z`
  const match = UTC_TEXT.exec(text)
  if (!match) return new Date(text).toISOString()
  return `${match[1]}T${match[2]}.${(match[3] ?? '').slice(0, 3).padEnd(3, '0')}Z`
}

/** Parses JSON. Most columns of lists and maps are empty, which needs no parser. */
const parseJson = (text: string): unknown => (text === '[]' ? [] : text === '{}' ? {} : JSON.parse(text))

/** Conversions: timestamps become ISO text, `bigint` becomes a number. `numeric` stays text, and keys become camelCase. */
const types = {
  json: { to: 114, from: [114, 3802], serialize: (value: unknown) => JSON.stringify(value), parse: parseJson },
  date: {
    to: 1184,
    from: [1082, 1114, 1184],
    serialize: (value: Date | string) => (value instanceof Date ? value.toISOString() : value),
    parse: isoText,
  },
  int8: { to: 20, from: [20], serialize: (value: number | string) => String(value), parse: Number },
}

/** Pool of connections. */
export type Sql = postgres.Sql
/** Open transaction. */
export type Tx = postgres.TransactionSql
/** Pool or transaction: queries accept both. */
export type Queryable = postgres.ISql

/** Passes a value as JSON to a query. Accepts interfaces, which the driver's JSON type does not. */
export const json = (sql: Queryable, value: unknown) => sql.json(value as postgres.JSONValue)
/** Passes columns and values of one or several rows to a query. Undefined becomes null. Columns in `columnsOfJson` are encoded as JSON. */
export function rowValues(sql: Queryable, values: object, columnsOfJson: readonly string[] = []) {
  const encoded = Object.entries(values).flatMap(([name, value]) =>
    columnsOfJson.includes(name) && value !== undefined && value !== null ? [[name, json(sql, value)] as const] : [],
  )
  const whole = encoded.length > 0 ? { ...values, ...Object.fromEntries(encoded) } : values
  return sql(whole as Record<string, postgres.SerializableParameter>)
}

/** Returns the first row. Throws if there is none, which is a bug. */
export function expectOne<V>([found]: readonly V[]): V {
  if (found === undefined) throw new Error('A row that must exist was not found.')
  return found
}

/** Address of the database, or socket of the embedded server. `pooled`: a transaction pooler stands at the address. */
export type Connection =
  | { readonly url: string; readonly pooled?: boolean }
  | { readonly socketDir: string; readonly port: number; readonly user: string; readonly database: string }

/** Returns a connection string for libraries with their own driver. */
export const connectionString = (to: Connection): string =>
  'url' in to ? to.url : `postgresql://${to.user}@/${to.database}?host=${encodeURIComponent(to.socketDir)}&port=${to.port}`

const columns = new Map<string, string>()
/** Column of a property name. Remembered, since each row that is written names its columns; the code has a fixed number of names. */
export function columnOf(name: string): string {
  const column = columns.get(name) ?? postgres.fromCamel(name)
  columns.set(name, column)
  return column
}

/** Pause before each reconnection. Constant, so that waiting queries fail or succeed soon. */
const RECONNECT_SECONDS = 0.2
/** Session settings that poolers pass on. */
const SESSION = { application_name: 'serai', TimeZone: 'UTC' }
const SESSION_TIMEOUTS = {
  // Bounds the wait for locks of suspended processes and for badly planned queries.
  statement_timeout: 60_000,
  lock_timeout: 20_000,
  idle_in_transaction_session_timeout: 60_000,
}

/** Queries of one owner that may wait for a connection. */
const WAITING_MAX = 2_000

/** Creates a queue of waiting queries that serves owners in turn. */
function fairWaitingQueue() {
  const waiting = new FairQueue<Waiting>()
  return {
    get length() {
      return waiting.size
    },
    push(query: Waiting) {
      const owner = currentTenant()
      if (waiting.sizeOf(owner) < WAITING_MAX) waiting.push(owner, query)
      else query.reject(Object.assign(new Error('Too many queries of one owner are waiting.'), { code: 'CONNECTION_BUSY' }))
      return query
    },
    shift: () => waiting.shift()?.item,
    remove: (query: Waiting) => waiting.remove(query),
  }
}

interface Waiting {
  reject(error: Error): void
}

/** Returns true if session state does not outlive a transaction: prepared statements, settings and subscriptions. */
export const isPooled = (to: Connection): boolean => 'url' in to && to.pooled === true

/** Opens a pool. `refuse` returns an error for queries that must fail at once, or null. */
export function connectPool(
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
    transform: { column: { from: postgres.toCamel, to: columnOf }, undefined: null },
    connection: isPooled(connection) ? SESSION : { ...SESSION, ...SESSION_TIMEOUTS },
    // Disables prepared statements behind a pooler, since the next session does not have them.
    prepare: !isPooled(connection),
    refuse,
    queue: fairWaitingQueue,
    // Disables pipelining behind a pooler: it may reassign the session after a response, even if the next statement is already described.
    max_pipeline: isPooled(connection) ? 0 : 4,
  }
  if ('url' in connection) return postgres(connection.url, options)
  const { socketDir, port, user, database } = connection
  return postgres({ ...options, path: `${socketDir}/.s.PGSQL.${port}`, user, database })
}

/** Sets the timeouts as defaults of the database role. Needed behind a pooler, which does not pass on session settings. */
export async function setRoleTimeouts(sql: Sql): Promise<void> {
  for (const [name, ms] of Object.entries(SESSION_TIMEOUTS)) {
    const [found] = await sql<{ value: string }[]>`select setting as value from pg_settings where name = ${name}`
    if (found?.value !== String(ms))
      await sql.unsafe(
        `do $$ begin execute format('alter role current_user in database %I set ${name} = ${ms}', current_database()); end $$`,
      )
  }
}

/** Signals that data read before a lock has changed under it. `transaction` starts again. */
export class RetryTransaction extends Error {
  override readonly name = 'Again'
  readonly code = '40001'
}

/** Runs a transaction without a statement timeout, for nightly reads of whole tables. */
export const withoutStatementTimeout = <V>(sql: Sql, work: (tx: Tx) => Promise<V>): Promise<V> =>
  transaction(sql, async (tx) => {
    await tx`set local statement_timeout = 0`
    return work(tx)
  })

const RETRIED = new Set(['40001', '40P01'])
const ATTEMPTS = 6

/** Work to do once a transaction has committed. `sql` is the pool of the transaction. */
type CommittedWork = (sql: Sql) => void
const committedWork = new WeakMap<Tx, CommittedWork[]>()

/**
 * Runs `work` right after the transaction has committed, and never if it is rolled back. The work must not throw, and may be lost with the
 * process. Needs a transaction of {@link transaction} or {@link savepoint}.
 */
export const afterCommit = (tx: Tx, work: CommittedWork): void => void committedWork.get(tx)?.push(work)

const lastStatements = new WeakMap<Tx, Promise<unknown>[]>()

/**
 * Sends statements and does not wait for them, so that commit leaves in the same write. If one fails, the database rolls back, and the
 * transaction fails with its error. They must be statements alone: nothing that they return can decide whether to commit. Later statements
 * of the transaction run after them.
 */
export function sendWithCommit(tx: Tx, statements: readonly Promise<unknown>[]): void {
  const sent = Promise.all(statements)
  sent.catch(() => {})
  lastStatements.get(tx)?.push(sent)
}

/** Runs a transaction. Retries up to 6 times after a deadlock, a serialization failure or a {@link RetryTransaction}. */
export async function transaction<V>(sql: Sql, work: (tx: Tx) => Promise<V>): Promise<V> {
  for (let attempt = 1; ; attempt += 1) {
    const pending: CommittedWork[] = []
    const last: Promise<unknown>[] = []
    try {
      const result = (await sql.begin((tx) => {
        committedWork.set(tx, pending)
        lastStatements.set(tx, last)
        return work(tx)
      })) as V
      await Promise.all(last)
      for (const each of pending) each(sql)
      return result
    } catch (error) {
      if (attempt === ATTEMPTS || !RETRIED.has(String((error as { code?: unknown }).code))) throw error
      await Bun.sleep(Math.random() * 20 * attempt)
    }
  }
}

/** Runs work in a savepoint. If it throws, its changes are rolled back and the transaction can continue. */
export async function savepoint<V>(tx: Tx, work: (inner: Tx) => Promise<V>): Promise<V> {
  const pending: CommittedWork[] = []
  const result = await tx.savepoint(async (inner) => {
    const last: Promise<unknown>[] = []
    committedWork.set(inner, pending)
    lastStatements.set(inner, last)
    const result = await work(inner)
    // Only the transaction has a commit to send with them.
    await Promise.all(last)
    return result
  })
  committedWork.get(tx)?.push(...pending)
  return result as V
}
