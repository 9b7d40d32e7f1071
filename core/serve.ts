import type { AnyElysia } from 'elysia'
import { buildApp } from './app.ts'
import { cashCron, cashJobs } from './cash/verify.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { housekeep } from './data/housekeeping.ts'
import { type CronEntry, type JobHandlers, startWorkers } from './data/jobs.ts'
import type { Connection } from './data/sql.ts'
import { forgetTraces } from './gateway/traces.ts'
import { takeEarlyNews } from './integrations/callbacks.ts'
import { remap } from './integrations/map-status.ts'
import { poll, pollDue } from './integrations/poll.ts'
import { workSync } from './integrations/sync.ts'
import { requestStalePlaces, syncPlaces } from './integrations/sync-places.ts'
import { inventoryCron, inventoryJobs } from './inventory/inventory.jobs.ts'
import { verifyJobs } from './orders/verify.ts'
import { workBatch } from './parcels/batch.ts'
import { recoverStranded, submitParcels } from './parcels/submit.ts'
import { type Opened, open } from './process.ts'
import { type Listening, listen } from './server.ts'
import { startDispatcher } from './webhooks/dispatch.ts'
import { webhookCron, webhookJobs } from './webhooks/webhooks.jobs.ts'

export interface Running {
  readonly context: Context
  /** Answers requests without a socket. */
  handle(request: Request): Promise<Response>
  readonly listening: Listening | undefined
  /** Lets requests and jobs in flight finish, then closes everything, the embedded database last. */
  stop(): Promise<void>
}

/** Background work, by job name. */
const handlers = (context: Context): JobHandlers => ({
  ...inventoryJobs(context),
  ...verifyJobs(context),
  ...cashJobs(context),
  housekeeping: () => housekeep(context.sql),
  'parcels.submit': ({ parcelIds }, signal) => submitParcels(context, parcelIds, signal),
  'parcels.batch': (batch, signal) => workBatch(context, batch, signal),
  'parcels.recover': () => recoverStranded(context),
  'integrations.sync': ({ accountId, from }, signal) => workSync(context, accountId, from, signal),
  'integrations.earlyNews': ({ accountId, reports, run }) => takeEarlyNews(context, accountId, reports, run),
  'integrations.places': ({ accountId, runs = 0 }, signal) => syncPlaces(context, accountId, runs, signal),
  'integrations.stalePlaces': () => requestStalePlaces(context),
  'integrations.remap': ({ accountId, raws }, signal) => remap(context, accountId, raws, signal),
  'integrations.pollDue': () => pollDue(context),
  'integrations.poll': ({ accountId }, signal) => poll(context, accountId, signal),
  'gateway.forget': (_, signal) => forgetTraces(context.sql, signal),
  ...webhookJobs(context),
})

const cron: readonly CronEntry[] = [
  ...inventoryCron,
  ...cashCron,
  { job: 'parcels.recover', at: '* * * * *' },
  { job: 'orders.verify', at: '37 3 * * *' },
  { job: 'integrations.pollDue', at: '* * * * *' },
  { job: 'housekeeping', at: '57 3 * * *' },
  { job: 'integrations.stalePlaces', at: '17 2 * * *' },
  { job: 'gateway.forget', at: '47 * * * *' },
  ...webhookCron,
]

/** Starts one process of the server. Without `socket` it answers `handle` alone. What was begun is ended where a later step fails. */
export async function serve(config: Config, options: { socket: boolean; connection?: Connection }): Promise<Running> {
  const opened = await open(config, options.connection)
  try {
    return await start(opened, options.socket)
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function start({ context, connectionString, alone, close }: Opened, socket: boolean): Promise<Running> {
  const { config, sql, log, plugins } = context
  let app: AnyElysia = buildApp(context)
  const listening = socket ? listen(app, { port: config.port, hostname: config.host }) : undefined
  const workers = await startWorkers(sql, handlers(context), { connectionString, concurrency: config.workerConcurrency, cron, alone, log })
  const dispatcher = await startDispatcher(context, { alone })
  plugins.watch(
    () => {
      app = buildApp(context)
      listening?.swap(app)
      log.info('The adapters changed; the routes are as they say now')
    },
    (err) => log.error({ err }, 'the adapters changed and cannot be mounted; the routes stay as they were'),
  )
  return {
    context,
    handle: async (request) => app.handle(request),
    listening,
    async stop() {
      await listening?.stop()
      await Promise.all([workers.stop(), dispatcher.stop()])
      await close()
    },
  }
}
