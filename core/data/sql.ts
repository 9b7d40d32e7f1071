import postgres from 'postgres'

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

/** An address, or the embedded server's socket. */
export type Connection =
  | { readonly url: string }
  | { readonly socketDir: string; readonly port: number; readonly user: string; readonly database: string }

/** For libraries that bring a driver of their own. */
export const connectionString = (to: Connection): string =>
  'url' in to ? to.url : `postgresql://${to.user}@/${to.database}?host=${encodeURIComponent(to.socketDir)}&port=${to.port}`

export function connect(connection: Connection, pool: number): Sql {
  const options = {
    types,
    max: pool,
    idle_timeout: 0,
    connect_timeout: 10,
    onnotice: () => {},
    transform: { column: { from: postgres.toCamel, to: postgres.fromCamel }, undefined: null },
    connection: { application_name: 'serai', TimeZone: 'UTC' },
  }
  if ('url' in connection) return postgres(connection.url, options) as unknown as Sql
  const { socketDir, port, user, database } = connection
  return postgres({ ...options, path: `${socketDir}/.s.PGSQL.${port}`, user, database }) as unknown as Sql
}

const RETRIED = new Set(['40001', '40P01'])
const ATTEMPTS = 4

/** One transaction, tried again when the database broke a deadlock or a serialisation conflict by choosing it. */
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
