import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { openRegistry, type Registry } from '../plugins/host/registry.ts'
import { adapterSettings } from './adapter-settings.ts'
import { openAuthenticator } from './auth/authenticate.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { type Embedded, startEmbedded } from './data/embedded.ts'
import { migrate } from './data/migrate.ts'
import { sharedInMemory, sharedInRedis } from './data/shared.ts'
import { type Connection, connect, connectionString } from './data/sql.ts'
import { openGateway } from './gateway/gateway.ts'
import { loadCatalogue } from './geo/load-catalogue.ts'
import { auth } from './http/auth.ts'
import { openVault } from './lib/crypto.ts'
import { openOutbound } from './lib/outbound.ts'
import { openOutcomes } from './parcels/outcomes.ts'

export interface Opened {
  readonly context: Context
  /** For the job workers' own driver. */
  readonly connectionString: string
  /** Whether no other process works on this database: an embedded one has one process, and several need a Redis to share what they count. */
  readonly alone: boolean
  close(): Promise<void>
}

/** Opens everything a process needs, in order, and knows how to close it in reverse. `given` stands in for the configured database. */
export async function open(config: Config, given?: Connection): Promise<Opened> {
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    const log = pino({ level: config.logLevel, base: null })
    await mkdir(config.dataDir, { recursive: true })
    const vault = openVault(
      await encryptionKey(config, (file) =>
        log.info(`Made an encryption key in ${file}. Keep it: without it stored credentials cannot be read.`),
      ),
    )
    const connection = given ?? (await openDatabase(config, closers))
    const address = connectionString(connection)
    const sql = connect(connection, config.databasePool)
    closers.push(() => sql.end({ timeout: 5 }))
    await migrate(sql, address)
    await loadCatalogue(sql)
    const shared = config.redisUrl ? await sharedInRedis(config.redisUrl, config.redisPrefix, log) : sharedInMemory()
    closers.push(() => shared.close())
    const authenticator = await openAuthenticator(sql, shared)
    closers.push(() => authenticator.stop())
    const outcomes = await openOutcomes(shared)
    closers.push(async () => outcomes.close())
    const plugins = await openAdapters(config, log)
    closers.push(() => plugins.close())
    // Connections of its own: a call of a carrier has a deadline, and does not wait behind bulk work.
    const beside = connect(connection, 3)
    closers.push(() => beside.end({ timeout: 5 }))
    const gateway = openGateway(beside, log)
    closers.push(() => gateway.stop())
    const context: Context = {
      config,
      sql,
      shared,
      log,
      vault,
      plugins,
      outcomes,
      gateway,
      outbound: openOutbound({ allowPrivate: false, simulators: config.simulators }),
      webhookOutbound: openOutbound({ allowPrivate: config.allowPrivateWebhooks }),
      auth: auth({
        authenticate: authenticator.authenticate,
        shared,
        perCredential: config.rateLimitPerMinute,
        perAddress: config.publicRateLimitPerMinute,
        proxies: config.trustedProxies,
      }),
    }
    return { context, connectionString: address, alone: config.databaseUrl === undefined || config.redisUrl === undefined, close }
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
}

function openAdapters(config: Config, log: Logger): Promise<Registry> {
  const { shelf, options } = adapterSettings(config)
  return openRegistry(shelf, options, {
    rejected: ({ folder, reason }) => log.error({ folder }, `an adapter cannot be used: ${reason}`),
    pending: (waiting) => log.warn(waiting, 'an adapter waits to be approved: see "serai adapter inspect" and "serai adapter approve"'),
    process: (what, words) => log.warn({ what }, `an adapter's process: ${words}`),
  })
}

async function openDatabase(config: Config, closers: (() => Promise<unknown>)[]): Promise<Connection> {
  if (config.databaseUrl) return { url: config.databaseUrl }
  const release = await ownDataDir(config.dataDir)
  closers.push(release)
  const embedded: Embedded = await startEmbedded(config.dataDir)
  closers.push(() => embedded.stop())
  return embedded.connection
}

/** One process at a time in a data folder; the mark of one that was killed does not count. */
export async function ownDataDir(dataDir: string): Promise<() => Promise<void>> {
  const mark = join(dataDir, 'server.pid')
  const [holder, began] = (await readFile(mark, 'utf8').catch(() => '')).split(' ')
  if (holder && Number(holder) !== process.pid && beginningOf(Number(holder)) === began) {
    throw new Error(`Another server (process ${holder}) uses ${dataDir}. Stop it, or set DATA_DIR to another folder.`)
  }
  await rm(mark, { force: true })
  await writeFile(mark, `${process.pid} ${beginningOf(process.pid)}`, { flag: 'wx' })
  return () => rm(mark, { force: true })
}

/** When a living process began, so that a number that came back is not taken for its first holder. */
function beginningOf(pid: number): string | null {
  try {
    process.kill(pid, 0)
    const stat = `/proc/${pid}/stat`
    return existsSync(stat) ? readFileSync(stat, 'utf8').split(') ').at(-1)!.split(' ')[19]! : 'unknown'
  } catch {
    return null
  }
}

async function encryptionKey(config: Config, made: (file: string) => void): Promise<Uint8Array> {
  if (config.encryptionKey) return Buffer.from(config.encryptionKey, 'base64')
  const file = join(config.dataDir, 'encryption.key')
  const existing = await readFile(file, 'utf8').catch(() => null)
  if (existing) return Buffer.from(existing.trim(), 'base64')
  const key = randomBytes(32)
  await writeFile(file, `${key.toString('base64')}\n`, { mode: 0o600 })
  await chmod(file, 0o600)
  made(file)
  return key
}
