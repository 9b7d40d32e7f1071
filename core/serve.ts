import type { AnyElysia } from 'elysia'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { type CronEntry, type JobHandlers, startWorkers } from './data/jobs.ts'
import type { Connection } from './data/sql.ts'
import { open } from './process.ts'
import { type Listening, listen } from './server.ts'

export interface Running {
  readonly context: Context
  /** Answers requests without a socket. */
  handle(request: Request): Promise<Response>
  readonly listening: Listening | undefined
  /** Lets requests and jobs in flight finish, then closes everything, the embedded database last. */
  stop(): Promise<void>
}

/** Background work, by job name. */
const handlers = (_context: Context): JobHandlers => ({})

const cron: readonly CronEntry[] = []

/** Starts one process of the server. Without `socket` it answers `handle` alone. */
export async function serve(config: Config, options: { socket: boolean; connection?: Connection }): Promise<Running> {
  const opened = await open(config, options.connection)
  const { context } = opened
  const app: AnyElysia = buildApp(context)
  const workers = await startWorkers(context.sql, handlers(context), {
    connectionString: opened.connectionString,
    concurrency: config.workerConcurrency,
    cron,
    alone: opened.alone,
    log: context.log,
  })
  const listening = options.socket ? listen(app, { port: config.port, hostname: config.host }) : undefined
  return {
    context,
    handle: async (request) => app.handle(request),
    listening,
    async stop() {
      await listening?.stop()
      await workers.stop()
      await opened.close()
    },
  }
}
