import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type AdapterRegistry, openRegistry } from '../plugins/host/registry.ts'
import { kinds } from '../plugins/kinds.ts'
import { adapterSettings } from './adapter-settings.ts'
import type { Config } from './config.ts'
import type { Context, Provided, Services } from './context.ts'
import { openDatabase } from './data/database/database.ts'
import { type EmbeddedDatabase, startEmbedded } from './data/database/embedded.ts'
import { migrate } from './data/database/migrate.ts'
import { openReplica } from './data/database/replica.ts'
import { declarePersonalData } from './data/personal-data/personal-data.ts'
import { registerProcess } from './data/processes/processes.ts'
import { sharedInMemory } from './data/shared/shared.ts'
import { sharedInRedis } from './data/shared/shared-in-redis.ts'
import { type Connection, connectionString, setRoleTimeouts } from './data/sql.ts'
import { registerSubscribers } from './data/subscribers.ts'
import type { Feature } from './feature.ts'
import { features } from './features.ts'
import { createBodyRegistry } from './http/body/declared-bodies.ts'
import { gatherOperations } from './integrations/operations/operation-registry.ts'
import { openOutbound } from './lib/net/outbound.ts'
import { openLog } from './log.ts'
import { gatherPayables } from './money/payments/payable.ts'

/** Open services of a process. */
export interface OpenedProcess {
  readonly context: Context
  /** Connection string for the driver of the job workers. */
  readonly connectionString: string
  /** True if no other process works on this database. An embedded database has one process. */
  readonly isAlone: boolean
  close(): Promise<void>
}

/** Opens everything a process needs, in order, and closes it in reverse. `given` replaces the configured database. */
export async function openProcess(config: Config, given?: Connection): Promise<OpenedProcess> {
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    const log = openLog(config.logLevel)
    await mkdir(config.dataDir, { recursive: true })
    const connection = given ?? (await findDatabase(config, closers))
    const address = connectionString(connection)
    const database = openDatabase(connection, log)
    closers.push(() => database.stop())
    const sql = database.pool(config.databasePool)
    closers.push(() => sql.end({ timeout: 5 }))
    if (database.hasPooler) await setRoleTimeouts(sql)
    await migrate(sql, address)
    if (config.databaseReplicaUrl) {
      const replica = openReplica({ url: config.databaseReplicaUrl }, sql, database.pool(1), config.databasePool, log)
      closers.push(() => replica.stop())
    }
    const processes = await registerProcess(database, log)
    closers.push(() => processes.stop())
    const shared = config.redisUrl ? await sharedInRedis(config.redisUrl, config.redisPrefix, log) : sharedInMemory()
    closers.push(() => shared.close())
    const plugins = await openAdapters(config, log)
    closers.push(() => plugins.close())
    const base: Omit<Context, keyof Services | keyof Provided> = {
      config,
      database,
      sql,
      shared,
      processes,
      readiness: { phase: 'starting' },
      listener: { port: config.port },
      log,
      plugins,
      outbound: openOutbound({ allowPrivate: false, simulators: config.simulators }),
      webhookOutbound: openOutbound({ allowPrivate: config.allowPrivateWebhooks }),
      bodies: createBodyRegistry(),
    }
    const context = await openFeatures(base, closers)
    return { context, connectionString: address, isAlone: !given && config.databaseUrl === undefined, close }
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
}

/** Opens the features in their order, each with the services of those before it. */
async function openFeatures(base: Omit<Context, keyof Services | keyof Provided>, closers: (() => Promise<unknown>)[]): Promise<Context> {
  registerSubscribers(features.map(({ subscribers = {} }) => subscribers))
  declarePersonalData((features as readonly Feature[]).flatMap(({ personalData = [] }) => personalData))
  // It is whole when the last one has opened.
  const context = {
    ...base,
    ...gatherProvided(),
    operationRegistry: gatherOperations(features, kinds),
    payables: gatherPayables(features),
  } as Context
  for (const { setup: open } of features) {
    const opened = await open?.(context)
    if (!opened) continue
    closers.push(async () => opened.close?.())
    Object.assign(context, opened.services)
  }
  return context
}

/** Gathers the functions that features provide for those below. Throws if two provide the same. */
function gatherProvided(): Partial<Provided> {
  const all: Partial<Provided> = {}
  for (const { name, provides = {} } of features as readonly Feature[]) {
    const known = Object.keys(provides).find((each) => each in all)
    if (known) throw new Error(`The feature ${name} provides ${known}, which another one provides.`)
    Object.assign(all, provides)
  }
  return all
}

function openAdapters(config: Config, log: Logger): Promise<AdapterRegistry> {
  const { shelf, options } = adapterSettings(config)
  return openRegistry(shelf, options, {
    rejected: ({ folder, reason }) => log.error({ folder }, `an adapter cannot be used: ${reason}`),
    pending: (waiting) => log.warn(waiting, 'an adapter waits to be approved: see "serai adapter inspect" and "serai adapter approve"'),
    process: (what, words) => log.warn({ what }, `an adapter's process: ${words}`),
  })
}

async function findDatabase(config: Config, closers: (() => Promise<unknown>)[]): Promise<Connection> {
  if (config.databaseUrl) return { url: config.databaseUrl, pooled: config.databasePooler === 'transaction' }
  const release = await claimDataDir(config.dataDir)
  closers.push(release)
  const embedded: EmbeddedDatabase = await startEmbedded(config.dataDir)
  closers.push(() => embedded.stop())
  return embedded.connection
}

/**
 * Claims a data folder for this process by writing `server.pid`. Throws if another live process has claimed it. Returns a function that
 * releases the claim. A file left by a killed process is replaced.
 */
export async function claimDataDir(dataDir: string): Promise<() => Promise<void>> {
  const mark = join(dataDir, 'server.pid')
  const [holder, began] = (await readFile(mark, 'utf8').catch(() => '')).split(' ')
  if (holder && Number(holder) !== process.pid && startTimeOf(Number(holder)) === began) {
    throw new Error(`Another server (process ${holder}) uses ${dataDir}. Stop it, or set DATA_DIR to another folder.`)
  }
  await rm(mark, { force: true })
  await writeFile(mark, `${process.pid} ${startTimeOf(process.pid)}`, { flag: 'wx' })
  return () => rm(mark, { force: true })
}

/** Returns the start time of a live process, so that a reused process id is not mistaken for its earlier owner. Null if it has ended. */
function startTimeOf(pid: number): string | null {
  try {
    process.kill(pid, 0)
    const stat = `/proc/${pid}/stat`
    return existsSync(stat) ? (readFileSync(stat, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? 'unknown') : 'unknown'
  } catch {
    return null
  }
}
