import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adapterSettings } from '../../core/adapter-settings.ts'
import { readConfig } from '../../core/config.ts'
import { type EmbeddedDatabase, startEmbedded } from '../../core/data/database/embedded.ts'
import { migrate } from '../../core/data/database/migrate.ts'
import { createPartitions } from '../../core/data/partitions.ts'
import { type Connection, connectionString, connectPool } from '../../core/data/sql.ts'
import { listPartitionedTables } from '../../core/features.ts'
import { loadCatalogue } from '../../core/platform/geo/catalogue/load-catalogue.ts'
import { countries } from '../../core/platform/geo/countries/index.ts'
import { loadCurrencies } from '../../core/platform/options/load-currencies.ts'
import { listAdapterFolders } from '../../plugins/host/discover.ts'
import { openOwnBundles } from '../../plugins/host/own-bundles.ts'
import { kinds } from '../../plugins/kinds.ts'

/** Set to run the same tests on servers that run elsewhere. */
export const external = { databaseUrl: process.env.TEST_DATABASE_URL, redisUrl: process.env.TEST_REDIS_URL }

/** What the whole run shares, where it is more than this process: a server, and a migrated database to copy. */
const shared = { server: process.env.TEST_SERVER, template: process.env.TEST_TEMPLATE }
/** Nothing of it outlives the run: what must survive a crash is tested on servers of its own. Hundreds of databases want no cleaning. */
const FORGETFUL = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '400',
  max_wal_size: '256MB',
  autovacuum_naptime: '5min',
}

/** The same of a database elsewhere, as far as it can be said of one. */
const HURRIED = ['synchronous_commit', 'jit']

interface Server {
  readonly root: Connection
  readonly template: string
  readonly embedded?: EmbeddedDatabase
}
let server: Promise<Server> | undefined
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
  const embedded = known ? undefined : await startServer()
  const root = known ?? embedded!.connection
  return { root, template: shared.template ?? (await makeTemplate(root)), ...(embedded && { embedded }) }
}

/** An embedded server for many databases. */
export const startServer = async () => startEmbedded(await scratchFolder(), FORGETFUL)

/** A migrated database that others are copied from. */
export async function makeTemplate(root: Connection): Promise<string> {
  const name = `serai_template_${process.pid}`
  const sql = connectPool(root, 1)
  await sql.unsafe(`create database ${name}`)
  await sql.end()
  await fill(databaseNamed(root, name))
  return name
}

/** All that a first start would bring. */
async function fill(database: Connection) {
  const sql = connectPool(database, 2)
  await migrate(sql, connectionString(database))
  await createPartitions(sql, listPartitionedTables(), console)
  for (const catalogue of countries) await loadCatalogue(sql, catalogue)
  await loadCurrencies(sql)
  await sql.end()
}

/** What an embedded server keeps after its first start, for servers in processes of their own to begin with. */
export async function makeCluster(): Promise<string> {
  const folder = await scratchFolder()
  const { connection, stop } = await startEmbedded(folder, FORGETFUL)
  await fill(connection)
  await stop()
  return join(folder, 'postgres')
}

/** What a server keeps of its own adapters after its first start. */
export async function makeBundles(): Promise<string> {
  const { shelf } = adapterSettings(readConfig({ DATA_DIR: await scratchFolder() }))
  const bundles = await openOwnBundles(shelf.kept)
  const folders = await listAdapterFolders({ own: shelf.own, others: [] })
  for (const within of [false, true]) for (const { folder } of folders) await bundles.bundle(folder, { within, kinds })
  await bundles.save()
  return shelf.kept
}

/** A server that begins with this folder finds there what it keeps of its adapters, in a whole run. */
export async function withBundles(dataDir: string): Promise<string> {
  const made = process.env.TEST_BUNDLES
  if (made) await Bun.write(adapterSettings(readConfig({ DATA_DIR: dataDir })).shelf.kept, Bun.file(made))
  return dataDir
}

/** Another database of the same server. */
export function databaseNamed(root: Connection, database: string): Connection {
  if (!('url' in root)) return { ...root, database }
  const url = new URL(root.url)
  url.pathname = `/${database}`
  return { url: url.href }
}

/** After the last test of the run. */
export async function dropServer() {
  const { root, embedded } = (await server) ?? {}
  if (root) await (embedded ? embedded.stop() : dropDatabases(root))
  await removeScratch()
}

export const removeScratch = () => Promise.all(scratch.map((folder) => rm(folder, { recursive: true, force: true })))

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
