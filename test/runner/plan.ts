import { createClient } from 'redis'
import { connect } from '../../core/data/sql.ts'
import { dropDatabases, makeTemplate, removeScratch, startServer } from '../support/database.ts'

/** TEST_DATABASE_URL and TEST_REDIS_URL, else the usual ports of this machine. */
const DATABASE_URL = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const REDIS_URL = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'

type Environment = Readonly<Record<string, string | undefined>>

/** The same files mean something else on another database, or with adapters in processes of their own. */
export interface Stage {
  readonly name: string
  readonly env: Environment
  readonly files: readonly string[]
}

const all = [...new Bun.Glob('test/**/*.test.ts').scanSync()].sort()
const matching = (pattern: RegExp) => all.filter((path) => pattern.test(path))

/** What measures how long others wait has the machine to itself. */
export const MEASURES = /\/faults\/(stall|neighbours)\.test\.ts$/
/** What waits much and computes little, so that it runs beside the rest. */
export const WAITS = /\/faults\//
/** What never asks a database or Redis, or waits for neither, is tested once. */
const ASKS_NOBODY = /\/(geo|outbound|phone|gateway|guesses|cash-sheet|cash-sheet-xml|labels-print|stall|neighbours)\.test\.ts$/
const ASKS_SERVICES = /^test\/(core\/|faults\/|interface\/credentials)/
/** What our own adapters must do as well where they run as those from elsewhere do. */
const OF_ADAPTERS = /^test\/(adapters\/carrier\/carrier|core\/sales\/main-job|core\/shop\/connections)\.test\.ts$/

const { TEST_DATABASE_URL: _d, TEST_REDIS_URL: _r, ...bare } = process.env
const services = {
  ...bare,
  TEST_DATABASE_URL: DATABASE_URL,
  TEST_REDIS_URL: REDIS_URL,
  // All are sent, and all scripts played, on the embedded database; here it is the services that differ.
  EXACTLY_ONCE_ORDERS: bare.EXACTLY_ONCE_ORDERS ?? '200',
  ORDER_SCRIPTS: bare.ORDER_SCRIPTS ?? '200',
}

/** Every test on the embedded database with no service; then, where there are some, those that ask services; and those of adapters apart. */
export function stagesOf(named: readonly string[], hasServices: boolean, { embedded: own, external: theirs }: Prepared): Stage[] {
  const embedded = { name: 'embedded database, no service', env: { ...bare, ...own }, files: named.length > 0 ? named : all }
  const external = { name: 'external PostgreSQL and Redis', env: { ...services, ...theirs } }
  const served = { ...external, files: named.length > 0 ? named : matching(ASKS_SERVICES).filter((path) => !ASKS_NOBODY.test(path)) }
  const apart = {
    name: 'every adapter in a process of its own',
    env: { ...bare, ...own, ADAPTER_ISOLATION: 'all' },
    files: matching(OF_ADAPTERS),
  }
  return [embedded, ...(hasServices ? [served] : []), ...(named.length > 0 ? [] : [apart])]
}

/** What processes are told of what they share. */
export interface Prepared {
  readonly embedded: Environment
  readonly external: Environment
}

/** One embedded server for all that need no more than databases, and one migrated database on each server, to copy. */
export async function prepare(hasServices: boolean): Promise<{ prepared: Prepared; end(): Promise<void> }> {
  const server = await startServer()
  const elsewhere = { url: DATABASE_URL }
  const prepared = {
    embedded: { TEST_SERVER: JSON.stringify(server.connection), TEST_TEMPLATE: await makeTemplate(server.connection) },
    external: hasServices ? { TEST_TEMPLATE: await makeTemplate(elsewhere) } : {},
  }
  const end = async () => {
    await server.stop()
    if (hasServices) await dropDatabases(elsewhere)
    await removeScratch()
  }
  return { prepared, end }
}

/** Null where both services answer, else which does not. */
export async function missingService(): Promise<string | null> {
  const holds = (work: Promise<unknown>) =>
    work.then(
      () => true,
      () => false,
    )
  const sql = connect({ url: DATABASE_URL }, 1)
  const database = await Promise.race([holds(sql`select 1`), Bun.sleep(3_000).then(() => false)])
  await sql.end({ timeout: 1 })
  if (!database) return `no PostgreSQL answers at ${DATABASE_URL}`
  const client = createClient({ url: REDIS_URL, socket: { reconnectStrategy: false, connectTimeout: 3_000 } }).on('error', () => {})
  const redis = await holds(client.connect().then(() => client.ping()))
  if (redis) await client.close()
  return redis ? null : `no Redis answers at ${REDIS_URL}`
}
