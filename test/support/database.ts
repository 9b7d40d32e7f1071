import { type EmbeddedDatabase, startEmbedded } from '../../core/data/database/embedded.ts'
import { type Connection, connectPool } from '../../core/data/sql.ts'
import { closeAtEnd } from './at-end.ts'
import { copyCluster, FORGETFUL, fill, keptCluster, MIGRATED, ROOT_DATABASE } from './first-start.ts'
import { scratchFolder } from './scratch.ts'

/** Set to run the same tests on servers that run elsewhere. */
export const external = { databaseUrl: process.env.TEST_DATABASE_URL, redisUrl: process.env.TEST_REDIS_URL }

/** What the whole run shares, where it is more than this process: a server, and a migrated database to copy. */
const shared = { server: process.env.TEST_SERVER, template: process.env.TEST_TEMPLATE }
/** The same of a database elsewhere, as far as it can be said of one. */
const HURRIED = ['synchronous_commit', 'jit']

export interface Server {
  readonly root: Connection
  readonly template: string
  readonly embedded?: EmbeddedDatabase
}
closeAtEnd(dropServer)
let server: Promise<Server> | undefined
let made = 0

/** A fresh migrated database: a copy of one that is migrated once per run. */
export async function freshDatabase(): Promise<Connection> {
  // Where nothing has to outlive the run, files are copied faster than pages are logged.
  return create(({ template }) => `template ${template}${external.databaseUrl ? '' : ' strategy file_copy'}`)
}

/** One that nobody migrated. */
export const emptyDatabase = (): Promise<Connection> => create(() => '')

async function create(from: (server: Server) => string): Promise<Connection> {
  server ??= findServer()
  const found = await server
  const { root } = found
  const name = `serai_test_${process.pid}_${++made}`
  const sql = connectPool(root, 1)
  await sql.unsafe(`create database ${name} ${from(found)}`)
  // What is written outlives the server that wrote it, as it would anyhow: no database of these is ever lost to a crash of its own.
  if (external.databaseUrl) for (const setting of HURRIED) await sql.unsafe(`alter database ${name} set ${setting} = off`)
  await sql.end()
  return databaseNamed(root, name)
}

/** One elsewhere, one that the run shares, or one of this process. */
async function findServer(): Promise<Server> {
  const { databaseUrl } = external
  const known: Connection | undefined = databaseUrl ? { url: databaseUrl } : shared.server ? JSON.parse(shared.server) : undefined
  if (!known) return startMigrated()
  return { root: known, template: shared.template ?? (await makeTemplate(known)) }
}

/** An embedded server for many databases. */
export const startServer = async () => startEmbedded(await scratchFolder(), FORGETFUL)

/** An embedded server that has a migrated database to copy. */
export async function startMigrated(): Promise<Server & { folder: string; embedded: EmbeddedDatabase }> {
  const folder = await scratchFolder()
  await copyCluster(await keptCluster(await scratchFolder()), folder)
  const embedded = await startEmbedded(folder, FORGETFUL)
  return { folder, embedded, root: databaseNamed(embedded.connection, ROOT_DATABASE), template: MIGRATED }
}

/** Makes a migrated database on a server elsewhere, for others to copy. */
export async function makeTemplate(root: Connection): Promise<string> {
  const name = `serai_template_${process.pid}`
  const sql = connectPool(root, 1)
  await sql.unsafe(`create database ${name}`)
  await sql.end()
  await fill(databaseNamed(root, name))
  return name
}

/** Another database of the same server. */
export function databaseNamed(root: Connection, database: string): Connection {
  if (!('url' in root)) return { ...root, database }
  const url = new URL(root.url)
  url.pathname = `/${database}`
  return { url: url.href }
}

/** After the last test of the run. */
async function dropServer() {
  const { root, embedded } = (await server) ?? {}
  if (root) await (embedded ? embedded.stop() : dropDatabases(root))
}

/** Those that this process made. */
export async function dropDatabases(root: Connection) {
  const sql = connectPool(root, 1)
  const rows = await sql<
    { datname: string }[]
  >`select datname from pg_database where datname ~ ${`^serai_(test_${process.pid}_[0-9]+|template_${process.pid})$`}`
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
