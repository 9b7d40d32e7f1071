import { join } from 'node:path'
import { redisOfItsOwn } from './database.ts'
import { copyCluster, keptCluster, withBundles } from './first-start.ts'
import { scratchFolder } from './scratch.ts'

const ROOT = join(import.meta.dir, '../..')
const HEALTHY_WITHIN_MS = 120_000

export interface ServerProcess {
  readonly url: string
  readonly dataDir: string
  /** Of the process that runs now. */
  pid(): number
  /** SIGKILL, as a crash would. With `database`, the embedded server's processes as well. */
  kill(options?: { database?: boolean }): Promise<void>
  /** SIGKILL for the embedded database alone. */
  killDatabase(): Promise<void>
  /** Starts again on the same data, and gives the milliseconds until the first healthy answer. */
  start(): Promise<number>
  /** SIGTERM, and its exit code. */
  stop(): Promise<number>
}

/**
 * A server in a process of its own, so that it can be killed; on the embedded database unless the environment names another. It finds
 * what a first start leaves, unless it is to begin `anew`.
 */
export async function spawnServer(
  environment: Record<string, string> = {},
  { anew = false, logTo }: { anew?: boolean; logTo?: string } = {},
): Promise<ServerProcess> {
  const dataDir = await scratchFolder()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: join(dataDir, 'data'),
    DRAIN_SECONDS: '0',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'fatal',
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    RATE_LIMIT_PER_MINUTE: '1000000',
    PUBLIC_RATE_LIMIT_PER_MINUTE: '1000000',
    ...redisOfItsOwn(),
    ...environment,
  }
  await withBundles(env.DATA_DIR)
  if (!anew && !('DATABASE_URL' in environment)) await copyCluster(await keptCluster(await scratchFolder()), env.DATA_DIR)
  let child: Bun.Subprocess | undefined

  async function start(): Promise<number> {
    const began = performance.now()
    child = Bun.spawn([process.execPath, 'core/main.ts', 'serve'], {
      cwd: ROOT,
      env,
      stdout: logTo ? Bun.file(logTo) : 'inherit',
      stderr: 'inherit',
    })
    while (performance.now() - began < HEALTHY_WITHIN_MS) {
      const healthy = await fetch(`${url}/health/check`).then(
        (answer) => answer.ok,
        () => false,
      )
      if (healthy) return performance.now() - began
      if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode} before it was healthy.`)
      await Bun.sleep(10)
    }
    throw new Error('The server did not become healthy.')
  }

  await start()
  return {
    url,
    dataDir: env.DATA_DIR,
    start,
    pid: () => child!.pid,
    async kill({ database = false } = {}) {
      child!.kill('SIGKILL')
      await child!.exited
      if (database) await killPostgres(env.DATA_DIR)
    },
    killDatabase: () => killPostgres(env.DATA_DIR),
    async stop() {
      child!.kill('SIGTERM')
      return child!.exited
    },
  }
}

/** The postmaster and, since it cannot tell them any more, its children. */
async function killPostgres(dataDir: string) {
  const pid = Number((await Bun.file(join(dataDir, 'postgres', 'postmaster.pid')).text()).split('\n')[0])
  const children = (await Bun.$`ps -o pid= --ppid ${pid}`.nothrow().text()).split('\n').map(Number).filter(Boolean)
  for (const each of [pid, ...children]) {
    try {
      process.kill(each, 'SIGKILL')
    } catch {}
  }
}

export async function freePort(): Promise<number> {
  const probe = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = probe
  await probe.stop(true)
  return port!
}

/** Asks until it is answered: a connection that breaks is tried again, as a storefront would. */
export async function insist(url: string, init: RequestInit, untilMs = 60_000): Promise<Response> {
  const until = Date.now() + untilMs
  for (;;) {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(20_000) }).catch(() => null)
    if (answer && answer.status !== 503 && answer.status !== 409) return answer
    if (Date.now() > until) throw new Error(`No answer from ${url}: ${answer?.status}`)
    await Bun.sleep(50)
  }
}
