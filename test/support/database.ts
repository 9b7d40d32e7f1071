import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Embedded, startEmbedded } from '../../core/data/embedded.ts'
import { migrate } from '../../core/data/migrate.ts'
import { type Connection, connect, connectionString } from '../../core/data/sql.ts'

/** Set to run the same tests on servers that run elsewhere. */
export const external = { databaseUrl: process.env.TEST_DATABASE_URL, redisUrl: process.env.TEST_REDIS_URL }

const TEMPLATE = `serai_template_${process.pid}`
let server: Promise<{ root: Connection; embedded?: Embedded }> | undefined
let made = 0
const scratch: string[] = []

/** A folder that the embedded server's own user can walk into. */
export async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'serai-test-'))
  await chmod(folder, 0o711)
  scratch.push(folder)
  return folder
}

/** A fresh migrated database: a copy of one that is migrated once per run. */
export async function freshDatabase(): Promise<Connection> {
  return create(`template ${TEMPLATE}`)
}

/** One that nobody migrated. */
export const emptyDatabase = (): Promise<Connection> => create('')

async function create(from: string): Promise<Connection> {
  server ??= startServer()
  const { root } = await server
  const name = `serai_test_${process.pid}_${++made}`
  const sql = connect(root, 1)
  await sql.unsafe(`create database ${name} ${from}`)
  await sql.end()
  return named(root, name)
}

async function startServer() {
  const folder = external.databaseUrl ? undefined : await scratchFolder()
  const embedded = folder ? await startEmbedded(folder) : undefined
  const root = embedded?.connection ?? { url: external.databaseUrl! }
  const sql = connect(root, 1)
  await sql.unsafe(`create database ${TEMPLATE}`)
  await sql.end()
  const template = connect(named(root, TEMPLATE), 2)
  await migrate(template, connectionString(named(root, TEMPLATE)))
  await template.end()
  return { root, ...(embedded && { embedded }) }
}

function named(root: Connection, database: string): Connection {
  if (!('url' in root)) return { ...root, database }
  const url = new URL(root.url)
  url.pathname = `/${database}`
  return { url: url.href }
}

/** After the last test of the run. */
export async function dropServer() {
  if (server) await (external.databaseUrl ? dropDatabases() : (await server).embedded!.stop())
  await Promise.all(scratch.map((folder) => rm(folder, { recursive: true, force: true })))
}

async function dropDatabases() {
  const sql = connect((await server!).root, 1)
  const rows = await sql<{ datname: string }[]>`select datname from pg_database where datname like ${`serai_%_${process.pid}%`}`
  for (const { datname } of rows) await sql.unsafe(`drop database if exists ${datname} with (force)`)
  await sql.end()
}

/** Names in the external Redis that no other server of the run counts under. */
export const redisOfItsOwn = (): Record<string, string> =>
  external.redisUrl ? { REDIS_URL: external.redisUrl, REDIS_PREFIX: `test:${crypto.randomUUID()}:` } : {}

/** For a server in a process of its own: a fresh database of the external server, or nothing where the process brings its own. */
export async function connectionUrl(): Promise<Record<string, string>> {
  if (!external.databaseUrl) return {}
  const connection = await freshDatabase()
  return 'url' in connection ? { DATABASE_URL: connection.url } : {}
}
