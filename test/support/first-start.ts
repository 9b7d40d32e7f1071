import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { adapterSettings } from '../../core/adapter-settings.ts'
import { readConfig } from '../../core/config.ts'
import { startEmbedded } from '../../core/data/database/embedded.ts'
import { migrate } from '../../core/data/database/migrate.ts'
import { createPartitions } from '../../core/data/partitions.ts'
import { type Connection, connectionString, connectPool } from '../../core/data/sql.ts'
import { listPartitionedTables } from '../../core/features.ts'
import { DAY_MS } from '../../core/lib/durations.ts'
import { loadCatalogue } from '../../core/platform/geo/catalogue/load-catalogue.ts'
import { countries } from '../../core/platform/geo/countries/index.ts'
import { loadCurrencies } from '../../core/platform/options/load-currencies.ts'
import { listAdapterFolders } from '../../plugins/host/discover.ts'
import { mountOwn } from '../../plugins/host/mount-in-process.ts'
import { openOwnBundles } from '../../plugins/host/own-bundles.ts'
import { kinds } from '../../plugins/kinds.ts'

const ROOT = join(import.meta.dir, '../..')
/** Results of a first start are kept here between runs. */
const KEPT = join(ROOT, 'node_modules/.cache/serai-tests')
/** A kept cluster is made again when one of these files changes. */
const SOURCES = ['migrations/*.sql', 'core/data/**/*.ts', 'core/platform/{geo,options}/**/*', 'core/**/feature.ts', 'bun.lock']

/** Settings for servers whose data is thrown away. Tests of crashes have servers of their own. */
export const FORGETFUL = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '400',
  max_wal_size: '256MB',
  autovacuum_naptime: '5min',
}

/** The migrated database of a kept cluster, and an empty one to connect to while the first is copied. */
export const MIGRATED = 'postgres'
export const ROOT_DATABASE = 'serai_root'

/** Fills a database with all that a first start brings. */
export async function fill(database: Connection) {
  const sql = connectPool(database, 2)
  await migrate(sql, connectionString(database))
  await createPartitions(sql, listPartitionedTables(), console)
  for (const catalogue of countries) await loadCatalogue(sql, catalogue)
  await loadCurrencies(sql)
  await sql.end()
}

/** Returns the folder of a stopped cluster whose database is migrated. Makes it only if the sources differ from those of the last run. */
export async function keptCluster(scratch: string): Promise<string> {
  const name = `cluster-${await hashOfSources()}`
  const kept = join(KEPT, name)
  if ((await namesIn(KEPT)).includes(name)) return join(kept, 'postgres')
  await makeCluster(scratch)
  await mkdir(KEPT, { recursive: true })
  const draft = await mkdtemp(join(KEPT, 'draft-'))
  await copyCluster(join(scratch, 'postgres'), draft)
  // Another process may have been faster: then its folder stays, and this one goes.
  await rename(draft, kept).catch(() => rm(draft, { recursive: true, force: true }))
  for (const old of await namesIn(KEPT))
    if (old.startsWith('cluster-') && old !== name) await rm(join(KEPT, old), { recursive: true, force: true })
  return join(kept, 'postgres')
}

async function makeCluster(folder: string) {
  const { connection, stop } = await startEmbedded(folder, FORGETFUL)
  await fill(connection)
  const sql = connectPool(connection, 1)
  await sql.unsafe(`create database ${ROOT_DATABASE}`)
  await sql.end()
  await stop()
}

/** Copies a stopped cluster into a data folder. */
export async function copyCluster(cluster: string, dataDir: string) {
  await mkdir(dataDir, { recursive: true })
  await Bun.$`cp -a ${cluster} ${join(dataDir, 'postgres')}`
}

/** Partitions depend on the week as well, and Bun compiles the rest anew. */
async function hashOfSources(): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256').update(`${Bun.version} ${Math.floor(Date.now() / (7 * DAY_MS))}`)
  const files = SOURCES.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: ROOT })]).sort()
  for (const file of files) hasher.update(file).update(await Bun.file(join(ROOT, file)).bytes())
  return hasher.digest('hex').slice(0, 16)
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

/** File in which the bundles of our own adapters are kept. Each is made again when its adapter's files have changed. */
const BUNDLES = join(KEPT, 'own-bundles.json')

export async function makeBundles(): Promise<void> {
  const { shelf } = adapterSettings(readConfig({ DATA_DIR: KEPT }))
  const bundles = await openOwnBundles(BUNDLES)
  const folders = await listAdapterFolders({ own: shelf.own, others: [] })
  for (const { folder } of folders) {
    mountOwn(await bundles.bundle(folder, { within: false, kinds }), kinds, bundles)
    await bundles.bundle(folder, { within: true, kinds })
  }
  await mkdir(dirname(BUNDLES), { recursive: true })
  await bundles.save()
}

/** Gives a server that begins with this folder the bundles that are kept. */
export async function withBundles(dataDir: string): Promise<string> {
  const { shelf } = adapterSettings(readConfig({ DATA_DIR: dataDir }))
  if (!(await Bun.file(BUNDLES).exists())) await makeBundles()
  await Bun.write(shelf.kept, Bun.file(BUNDLES))
  return dataDir
}
