import { EventEmitter } from 'node:events'
import {
  type Job,
  parseCronItems,
  type Runner,
  type RunnerOptions,
  run,
  type Task,
  type WorkerEvents,
  Logger as WorkerLogger,
} from 'graphile-worker'
import { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Database } from './database/database.ts'
import { FALLBACK_POLL_MS, pollForWorkers } from './processes/poll.ts'
import type { DeadProcesses, Processes } from './processes/processes.ts'
import { json, type Queryable } from './sql.ts'
import { currentTenant, runAs } from './tenant-context.ts'

/** Background jobs and their payloads. A feature adds its own by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by features
export interface Jobs {}
/** Name of a background job. */
export type JobName = keyof Jobs & string

/**
 * Handlers of all jobs. `signal` is aborted when the process stops and the job took too long, or when other processes declared this one
 * dead.
 */
export type JobHandlers = { readonly [N in JobName]: (payload: Jobs[N], signal: AbortSignal) => Promise<void> }

/** Options of {@link enqueue}. */
export interface EnqueueOptions {
  readonly runAt?: Date
  /** Key that is unique among waiting jobs: a later job replaces an earlier one. */
  readonly key?: string
  readonly maxAttempts?: number
  /** Queue whose jobs run one after another, across all processes. */
  readonly queue?: string
  /** Tenant that the job counts for; the current one by default. One owner's jobs use at most their share of the workers. */
  readonly owner?: string
}

/** Enqueues a job in the caller's transaction. The job exists only if the transaction commits. */
export async function enqueue<N extends JobName>(sql: Queryable, name: N, payload: Jobs[N], options: EnqueueOptions = {}) {
  const { runAt = null, key = null, maxAttempts = 25, queue = null, owner = currentTenant() } = options
  await sql`select 1 from graphile_worker.add_job(${name}, payload => ${json(sql, payload)}::json, run_at => coalesce(${runAt}::timestamptz, now()),
    job_key => ${key}, max_attempts => ${maxAttempts}, queue_name => ${queue}, flags => ${owner ? [owner] : null}::text[])`
}

/** Logger for the job library that discards everything. */
export const silentWorkerLogger = new WorkerLogger(() => () => {})

/** Schedule of a recurring job. */
export interface CronEntry {
  readonly job: JobName
  /** Cron schedule: five fields, UTC. */
  readonly schedule: string
}

/** Running job workers. */
export interface Workers {
  /** Waits for running jobs. Aborts those that take too long; another process retries them. */
  stop(): Promise<void>
}

interface Options {
  readonly database: Pick<Database, 'onReconnect' | 'hasPooler'>
  readonly connectionString: string
  /** Connections of the pool for requests. The workers open at most as many. */
  readonly pool: number
  readonly concurrency: number
  readonly cron: readonly CronEntry[]
  readonly processes: Pick<Processes, 'workerIds' | 'onFenced'>
  /** Milliseconds for running jobs to finish. */
  readonly shutdownMs: number
  readonly log: Logger
}

const RESTART_MS = 500
const FINISH_MS = 5_000
/** Minimum number of owners that share the workers, however many jobs one of them has. */
const OWNERS_AT_LEAST = 8
const WRITE_MS = 2_000
/** Timeout of the library's own abort. Set high, because this module aborts jobs itself. */
const LIBRARY_ABORT_MS = 3_600_000

/**
 * Runs jobs until stopped. Restarts after a database outage, because jobs whose result the library
 * could not write would stay locked for hours.
 */
export async function startWorkers(handlers: JobHandlers, options: Options): Promise<Workers> {
  const { log, processes } = options
  const runningJobs = new Set<Promise<void>>()
  let end = new AbortController()
  let stopped = false
  let generation = 0
  let finished: Promise<unknown> = Promise.resolve()

  const task =
    (handler: Handler): Task =>
    (payload, { job }) => {
      const work = runAs(ownerOf(job) ?? '', () => handler(payload, end.signal)).finally(() => runningJobs.delete(work))
      runningJobs.add(work)
      return work
    }

  async function startRunner(mine: number): Promise<Runner> {
    const restartIfCurrent = () => void (mine === generation && restart())
    const pool = createWorkerPool(options.connectionString, options.pool)
    try {
      const runner = await run(runnerOptions(handlers, options, pool, task, restartIfCurrent))
      const stopped = runner.promise
        .catch((err) => log.warn({ err }, 'the workers stopped; others take their place'))
        .finally(restartIfCurrent)
      finished = stopped.finally(() => void pool.end().catch(noop))
      return runner
    } catch (error) {
      void pool.end().catch(noop)
      throw error
    }
  }

  async function restart() {
    if (stopped) return
    const mine = ++generation
    void current.stop().catch(noop)
    let next: Runner | undefined
    while (!next && mine === generation && !stopped) next = await startRunner(mine).catch(() => Bun.sleep(RESTART_MS).then(() => undefined))
    if (!next) return
    if (stopped || mine !== generation) return void next.stop().catch(noop)
    current = next
  }

  /** Aborts the running jobs, which other processes have taken over, and restarts. */
  const abortAndRestart = () => {
    end.abort(new Error('This process was silent for too long.'))
    end = new AbortController()
    void restart()
  }

  let current = await startRunner(generation)
  const unsubscribers = [options.database.onReconnect(() => void restart()), processes.onFenced(abortAndRestart)]
  return {
    async stop() {
      stopped = true
      for (const each of unsubscribers) each()
      void current.stop().catch(noop)
      const late = setTimeout(() => end.abort(new Error('The process stops.')), FINISH_MS)
      await Promise.race([Promise.allSettled(runningJobs), Bun.sleep(options.shutdownMs)])
      clearTimeout(late)
      // Waits until the results are written, which takes moments unless the database is down.
      await Promise.race([finished, Bun.sleep(WRITE_MS)])
    },
  }
}

type Handler = (payload: unknown, signal: AbortSignal) => Promise<void>

const noop = () => {}

/** Bounds of the workers' connections: no more than requests have. One of them listens for new jobs. */
const CONNECTIONS = { least: 3, most: 8 }

/**
 * Creates the pool of the workers. The library's own pool stops handling errors before its last connection is closed. A connection that
 * breaks then would end the process. `requestConnections`: size of the request pool.
 */
export function createWorkerPool(connectionString: string, requestConnections: number): Pool {
  const max = Math.min(CONNECTIONS.most, Math.max(CONNECTIONS.least, requestConnections))
  const pool = new Pool({ connectionString, max })
  pool.on('error', noop)
  pool.on('connect', (client) => client.on('error', noop))
  return pool
}

function runnerOptions(
  handlers: JobHandlers,
  { database, concurrency, cron, processes: { workerIds: workers }, log }: Options,
  pgPool: Pool,
  task: (handler: Handler) => Task,
  fatal: () => void,
): RunnerOptions {
  const events = new EventEmitter() as WorkerEvents
  events.on('pool:create', ({ workerPool }) => workers.add(workerPool.id))
  events.on('pool:release', ({ workerPool }) => workers.delete(workerPool.id))
  events.on('pool:fatalError', fatal)
  // Behind a pooler the database cannot notify workers of new jobs.
  pollForWorkers(events, { announced: !database.hasPooler })
  const forbiddenFlags = limitPerOwner(events, Math.max(1, Math.floor(concurrency / OWNERS_AT_LEAST)))
  events.on('job:error', ({ job, error }) =>
    log.warn({ err: error, job: job.task_identifier, attempt: job.attempts }, 'a job failed and is tried again'),
  )
  events.on('job:failed', ({ job, error }) => log.error({ err: error, job: job.task_identifier }, 'a job failed for good'))
  return {
    pgPool,
    noHandleSignals: true,
    logger: silentWorkerLogger,
    events,
    forbiddenFlags,
    preset: {
      worker: {
        concurrentJobs: concurrency,
        pollInterval: FALLBACK_POLL_MS,
        preparedStatements: !database.hasPooler,
        gracefulShutdownAbortTimeout: LIBRARY_ABORT_MS,
        // Writes results together and reports a failure.
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
    // Casts the handler, because the entries lose the relation between a job's name and its payload.
    taskList: Object.fromEntries(Object.entries(handlers).map(([name, handler]) => [name, task(handler as Handler)])),
    parsedCronItems: parseCronItems(cron.map(({ job, schedule: at }) => ({ task: job, match: at, identifier: job }))),
  }
}

const ownerOf = ({ flags }: Job) => Object.keys(flags ?? {})[0]

/**
 * Returns a function that lists owners with as many running jobs as their share. Workers call it one after another, so that each sees the
 * jobs the others have started.
 */
function limitPerOwner(events: WorkerEvents, share: number) {
  const runningByOwner = new Map<string, number>()
  let lastCall = Promise.resolve()
  let releaseCall = noop
  const count = (job: Job, by: 1 | -1) => {
    const owner = ownerOf(job)
    if (owner === undefined) return
    const now = (runningByOwner.get(owner) ?? 0) + by
    if (now > 0) runningByOwner.set(owner, now)
    else runningByOwner.delete(owner)
  }
  events.on('job:start', ({ job }) => {
    count(job, 1)
    releaseCall()
  })
  events.on('worker:getJob:empty', () => releaseCall())
  events.on('worker:getJob:error', () => releaseCall())
  events.on('job:complete', ({ job }) => count(job, -1))
  return async () => {
    const before = lastCall
    const mine = Promise.withResolvers<void>()
    lastCall = mine.promise
    await before
    releaseCall = mine.resolve
    return [...runningByOwner].flatMap(([owner, jobs]) => (jobs >= share ? [owner] : []))
  }
}

/** Unlocks the jobs of dead processes, including jobs that a process claimed before it had registered its workers. */
export const releaseJobsOfDead = async (sql: Queryable, { workerIds: workers, silenceMs }: DeadProcesses) => {
  await sql`
  select graphile_worker.force_unlock_workers(array(
    select distinct locked_by from graphile_worker.jobs
    where locked_by is not null and (locked_by = any(${workers as string[]})
      or (locked_by <> all (array(select unnest(worker_ids) from processes)) and locked_at < now() - ${silenceMs} * interval '1 millisecond'))))`
}
