import { readFileSync, rmSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from 'redis'
import { type Connection, connectPool } from '../../core/data/sql.ts'
import { databaseNamed, dropDatabases, makeTemplate, startMigrated } from '../support/database.ts'
import { makeBundles } from '../support/first-start.ts'
import { removeCluster, removeScratch, scratchFolder } from '../support/scratch.ts'
import { computedByServer } from './usage.ts'

/** TEST_DATABASE_URL and TEST_REDIS_URL, else the usual ports of this machine. */
const DATABASE_URL = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const REDIS_URL = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'

type Environment = Readonly<Record<string, string | undefined>>

/** Files that run together in the same circumstances, such as on an external database. */
export interface Stage {
  readonly name: string
  readonly env: Environment
  readonly files: readonly string[]
}

const all = [...new Bun.Glob('test/**/*.test.ts').scanSync()].sort()
const matching = (pattern: RegExp) => all.filter((path) => pattern.test(path))

/** Files that measure how long others wait. They run alone on the machine. */
export const MEASURES = /\/faults\/(stall|neighbours|computing)\.test\.ts$/
/** Files that wait much and compute little, so that they run beside the rest. */
export const WAITS = /\/faults\//
const WAITING = /\/support\/(?:clock|until)\.ts'/
/** Tests that a slow machine, or another order of events, can fail. They may be tried once more when nothing else runs, and the run says so. */
export const mayBeOvertaken = (path: string) => WAITS.test(path) || WAITING.test(readFileSync(path, 'utf8'))
/**
 * Files that also run on an external PostgreSQL and Redis: those of locks, waits, counters and several processes. The
 * external database must also accept the statements of all other files.
 */
const ON_SERVICES = [
  /^test\/core\/(data\/.*|http\/(edge|lists))\.test\.ts$/,
  /^test\/core\/(identity\/(api-keys|authority|oauth-tokens|users)|platform\/(mail|webhooks.*|vault))\.test\.ts$/,
  /^test\/core\/logistics\/(tracking|parcels|pickups|submission)\.test\.ts$/,
  /^test\/core\/(orders\/(confirmation|main-job|order-races|public-orders)|fulfilment\/dispatch)\.test\.ts$/,
  /^test\/core\/(money\/(remittances\/remittances(-parallel)?|payments|payment-races)|integrations\/(connections|oauth-renewal))\.test\.ts$/,
  /^test\/core\/shop\/(catalog-model|catalog-promos|inventory.*|members|products|stores)\.test\.ts$/,
  /^test\/(faults\/(database-away|exactly-once|windows)|interface\/credentials)\.test\.ts$/,
]
/** Returns true for a file that behaves differently on external services, or runs only there. */
const knowsServices = (path: string) => /\bexternal\.(databaseUrl|redisUrl)\b/.test(readFileSync(path, 'utf8'))
/** Files that run again with our own adapters in processes of their own. */
const OF_ADAPTERS = /^test\/(adapters\/carrier\/carrier|core\/orders\/main-job|core\/integrations\/connections)\.test\.ts$/

export const EXTERNAL = 'external PostgreSQL and Redis'

const { TEST_DATABASE_URL: _d, TEST_REDIS_URL: _r, ...bare } = process.env
const services = {
  ...bare,
  TEST_DATABASE_URL: DATABASE_URL,
  TEST_REDIS_URL: REDIS_URL,
  // Every case is tried on the embedded database; here it is the services that differ.
  DATABASE_RESTARTS: bare.DATABASE_RESTARTS ?? '2',
  EXACTLY_ONCE_ORDERS: bare.EXACTLY_ONCE_ORDERS ?? '200',
  ORDER_SCRIPTS: bare.ORDER_SCRIPTS ?? '280',
  PAYMENT_SCRIPTS: bare.PAYMENT_SCRIPTS ?? '100',
}

const PLANTED_FAULTS = /^test\/mutations\//

/** Files that kill the process during one more kind of work. The quick run has `kill` and `exactly-once` instead. */
const KILLED_AT_OTHER_WORK = /^test\/faults\/(ai-tasks|erasure|first-import|guests|inventory|order-jobs|sheets|windows)\.test\.ts$/
/** File that reads the types of all sources, which takes a minute. */
const READS_SOURCES = /^test\/interface\/error-codes\.test\.ts$/
/** Files that only the thorough run has. */
const LEFT_TO_THOROUGH = [MEASURES, READS_SOURCES, KILLED_AT_OTHER_WORK]
/** Returns true for a file that runs a share of its cases, unless every case is asked for. */
const takesShare = (path: string) => /\/support\/thorough\.ts'/.test(readFileSync(path, 'utf8'))

/**
 * Returns the stage of the quick run: every test once, with a share of its cases, on the embedded database without services. With names, it
 * has only the named files.
 */
export const onceOver = (named: readonly string[], { embedded }: Prepared): Stage[] => [
  {
    name: 'embedded database, no service',
    env: { ...bare, ...embedded },
    files: named.length > 0 ? named : all.filter((path) => !LEFT_TO_THOROUGH.some((files) => files.test(path))),
  },
]

/** Returns the stages that repeat tests in other circumstances: external services, isolated adapters, planted faults, every case. */
export function thoroughStages(
  named: readonly string[],
  { hasServices }: { readonly hasServices: boolean },
  { embedded: own, external: theirs }: Prepared,
): Stage[] {
  const isServed = (path: string) => ON_SERVICES.some((files) => files.test(path)) || knowsServices(path)
  const stages = [
    { name: EXTERNAL, env: { ...services, ...theirs }, files: all.filter((path) => isServed(path) && !MEASURES.test(path)) },
    { name: 'how long others wait, one at a time', env: { ...bare, ...own }, files: matching(MEASURES) },
    { name: 'error codes, read off all sources', env: { ...bare, ...own }, files: matching(READS_SOURCES) },
    {
      name: 'embedded database, every case',
      env: { ...bare, ...own, EVERY_CASE: 'true' },
      files: all.filter((path) => takesShare(path) || KILLED_AT_OTHER_WORK.test(path)),
    },
    { name: 'every adapter in a process of its own', env: { ...bare, ...own, ADAPTER_ISOLATION: 'all' }, files: matching(OF_ADAPTERS) },
    { name: 'faults planted into adapters', env: { MUTATIONS: 'usual', ...bare, ...own }, files: matching(PLANTED_FAULTS) },
  ]
  const possible = stages.filter(({ name }) => hasServices || name !== EXTERNAL)
  return named.length > 0 ? possible.map((stage) => ({ ...stage, files: named })) : possible
}

/** Environment variables that tell processes of shared servers and folders. */
export interface Prepared {
  readonly embedded: Environment
  readonly external: Environment
}

/** Servers and folders that a run needs before its first file. */
export interface Preparation {
  readonly prepared: Prepared
  /** Folder of the statements that were sent to the embedded database, and the database that must accept them as well. */
  readonly reading: { readonly folder: string; readonly database: Promise<Connection> } | null
  /** Processor time of the embedded server, in milliseconds. */
  databaseMs(): number
  end(): Promise<void>
}

/**
 * Starts an embedded server for all that need no more than databases, and makes a migrated database on each server, to copy.
 * `readsStatements`: the external PostgreSQL shall read what is sent to the embedded one.
 */
export async function prepare(
  { hasServices }: { readonly hasServices: boolean },
  { readsStatements }: { readsStatements: boolean },
): Promise<Preparation> {
  const folder = await scratchFolder('run')
  const [scratch, statements] = [join(folder, 'scratch'), join(folder, 'statements')]
  for (const each of [scratch, statements]) await mkdir(each)
  await chmod(scratch, 0o711)
  process.env.TMPDIR = scratch
  const server = await startMigrated()
  // A run that is told to end in its midst leaves no server and no memory in use.
  process.once('exit', () => {
    removeCluster(server.folder)
    rmSync(folder, { recursive: true, force: true })
  })
  await makeBundles()
  const elsewhere = { url: DATABASE_URL }
  const shared = { TMPDIR: scratch }
  const embedded = { TEST_SERVER: JSON.stringify(server.root), TEST_TEMPLATE: server.template, ...shared }
  // Statements are read at the end alone, so that no test waits until there is a database for them.
  const making = hasServices ? makeTemplate(elsewhere) : null
  const template = readsStatements ? null : await making
  return {
    prepared: {
      embedded: { ...embedded, ...(making && readsStatements && { TEST_STATEMENTS: statements }) },
      external: { ...shared, ...(template && { TEST_TEMPLATE: template }) },
    },
    reading: making && readsStatements ? { folder: statements, database: making.then((name) => databaseNamed(elsewhere, name)) } : null,
    databaseMs: () => computedByServer(server.folder),
    async end() {
      await server.embedded.stop()
      if (hasServices) await dropDatabases(elsewhere)
      await removeScratch()
    },
  }
}

/** Returns the most connections that the external server accepts. */
export async function connectionsOfServer(): Promise<number> {
  const sql = connectPool({ url: DATABASE_URL }, 1)
  const [row] = await sql<{ most: number }[]>`select current_setting('max_connections')::int as most`
  await sql.end()
  return row?.most ?? 0
}

/** Returns null when both services answer, else a sentence that names the missing one. */
export async function missingService(): Promise<string | null> {
  const holds = (work: Promise<unknown>) =>
    work.then(
      () => true,
      () => false,
    )
  const sql = connectPool({ url: DATABASE_URL }, 1)
  const database = await Promise.race([holds(sql`select 1`), Bun.sleep(3_000).then(() => false)])
  await sql.end({ timeout: 1 })
  if (!database) return `no PostgreSQL answers at ${DATABASE_URL}`
  const client = createClient({ url: REDIS_URL, socket: { reconnectStrategy: false, connectTimeout: 3_000 } }).on('error', () => {})
  const redis = await holds(client.connect().then(() => client.ping()))
  if (redis) await client.close()
  return redis ? null : `no Redis answers at ${REDIS_URL}`
}
