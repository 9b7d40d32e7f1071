import type { AnyElysia } from 'elysia'
import { buildApp } from './app.ts'
import { type Config, limits } from './config.ts'
import type { Context } from './context.ts'
import { type CronEntry, type JobHandlers, type JobName, startWorkers } from './data/jobs.ts'
import type { Connection } from './data/sql.ts'
import { runAs } from './data/tenant-context.ts'
import type { BackgroundWork, Job } from './feature.ts'
import { features } from './features.ts'
import { type OpenedProcess, openProcess } from './process.ts'
import { type ListeningServer, listen } from './server.ts'

/** Running server process. */
export interface RunningServer {
  readonly context: Context
  /** Answers requests without a socket. */
  handle(request: Request): Promise<Response>
  readonly listening: ListeningServer | undefined
  /**
   * Waits for requests and jobs in flight, then closes everything, the embedded database last. With `drain`, it first reports for
   * `DRAIN_SECONDS` that it is not ready, and closes each connection after the current response.
   */
  stop(how?: { readonly drain: boolean }): Promise<void>
}

/** Background jobs of all features, by name. */
const jobs = features.flatMap((feature) => Object.entries(feature.jobs ?? {}) as [JobName, Job<JobName>][])

const handlers = (context: Context) =>
  Object.fromEntries(
    jobs.map(([name, { work }]) => [name, (payload: never, signal: AbortSignal) => work(context, payload, signal)]),
  ) as JobHandlers

const cron: readonly CronEntry[] = jobs.flatMap(([job, { schedule }]) => (schedule === undefined ? [] : [{ job, schedule }]))

/** Starts one server process. Without `socket`, it answers only through `handle`. Closes what it opened if a later step fails. */
export async function serve(config: Config, options: { socket: boolean; connection?: Connection }): Promise<RunningServer> {
  const opened = await openProcess(config, options.connection)
  try {
    return await start(opened, { socket: options.socket })
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function start(
  { context, connectionString, isAlone: alone, close }: OpenedProcess,
  { socket }: { readonly socket: boolean },
): Promise<RunningServer> {
  const { config, database, processes, readiness, log, plugins } = context
  let app: AnyElysia = buildApp(context)
  const listening = socket ? listen(app, { port: config.port, hostname: config.host, reusePort: config.reusePort, log }) : undefined
  if (listening) context.listener.port = listening.port
  const workers = await startWorkers(handlers(context), {
    database,
    connectionString,
    pool: config.databasePool,
    concurrency: config.workerConcurrency,
    cron,
    processes,
    shutdownMs: limits.shutdownMs,
    log,
  })
  const begun: BackgroundWork[] = [workers]
  for (const { start } of features) if (start) begun.push(await start(context))
  await processes.startReaping({ alone })
  readiness.phase = 'ready'
  plugins.watch(
    () => {
      app = buildApp(context)
      listening?.replaceApp(app)
      log.info('The adapters changed; their routes are mounted')
    },
    (err) => log.error({ err }, 'the changed adapters cannot be mounted; the routes are unchanged'),
  )
  return {
    context,
    handle: async (request) => runAs('', () => app.handle(request)),
    listening,
    async stop({ drain } = { drain: false }) {
      readiness.phase = 'draining'
      if (drain) {
        listening?.drain()
        await Bun.sleep(config.drainMs)
      }
      for (const work of begun) work.drain?.()
      await listening?.stop()
      await Promise.all(begun.map((work) => work.stop()))
      await close()
    },
  }
}
