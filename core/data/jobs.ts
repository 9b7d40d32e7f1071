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
import { ALONE_MS, pollForAll } from './processes/poll.ts'
import type { Dead, Processes } from './processes/processes.ts'
import { json, type Queryable } from './sql.ts'
import { currentTenant, runAs } from './tenant-context.ts'

/** Every background job and what it carries. A feature adds its own by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by features
export interface Jobs {}
export type JobName = keyof Jobs & string

/** `signal` is aborted when the process stops and the job took too long to end by itself, or when others took the process for dead. */
export type JobHandlers = { readonly [N in JobName]: (payload: Jobs[N], signal: AbortSignal) => Promise<void> }

export interface EnqueueOptions {
  readonly runAt?: Date
  /** One job per key: a later one replaces what still waits. */
  readonly key?: string
  readonly maxAttempts?: number
  /** Jobs of one queue run one after another, wherever they run. */
  readonly queue?: string
  /** For whom it is done, such as a project; who asks, unless said. Nobody's jobs take up more than their share of the workers. */
  readonly owner?: string
}

/** Enqueues in the caller's transaction: the job exists exactly if what made it necessary was committed. */
export async function enqueue<N extends JobName>(sql: Queryable, name: N, payload: Jobs[N], options: EnqueueOptions = {}) {
  const { runAt = null, key = null, maxAttempts = 25, queue = null, owner = currentTenant() } = options
  await sql`select 1 from graphile_worker.add_job(${name}, payload => ${json(sql, payload)}::json, run_at => coalesce(${runAt}::timestamptz, now()),
    job_key => ${key}, max_attempts => ${maxAttempts}, queue_name => ${queue}, flags => ${owner ? [owner] : null}::text[])`
}

export const silent = new WorkerLogger(() => () => {})

export interface CronEntry {
  readonly job: JobName
  /** Five fields, UTC. */
  readonly at: string
}

export interface Workers {
  /** Lets jobs in hand finish; those that take too long are aborted, and tried again by whoever comes next. */
  stop(): Promise<void>
}

interface Options {
  readonly database: Pick<Database, 'onReturn' | 'pooled'>
  readonly connectionString: string
  /** Connections that requests have: the workers open no more than that. */
  readonly pool: number
  readonly concurrency: number
  readonly cron: readonly CronEntry[]
  readonly processes: Pick<Processes, 'workers' | 'onFenced' | 'onProcessDead'>
  /** Jobs in hand have so long to finish. */
  readonly shutdownMs: number
  readonly log: Logger
}

const AGAIN_MS = 500
const FINISH_MS = 5_000
/** However much somebody has to be done, the workers are never in fewer hands. */
const OWNERS_AT_LEAST = 8
const WRITE_MS = 2_000
/** The library would abort what it waits for; that is said here. */
const PATIENCE_MS = 3_600_000

/**
 * Works jobs until stopped, takes over those of processes that died, and begins anew when the database was away: what the library could not
 * write down then, it would keep locked for hours.
 */
export async function startWorkers(handlers: JobHandlers, options: Options): Promise<Workers> {
  const { log, processes } = options
  const inHand = new Set<Promise<void>>()
  let end = new AbortController()
  let stopped = false
  let generation = 0
  let finished: Promise<unknown> = Promise.resolve()

  const task =
    (handler: Handler): Task =>
    (payload, { job }) => {
      const work = runAs(ownerOf(job) ?? '', () => handler(payload, end.signal)).finally(() => inHand.delete(work))
      inHand.add(work)
      return work
    }

  async function begin(mine: number): Promise<Runner> {
    const anew = () => void (mine === generation && renew())
    const pool = poolTo(options.connectionString, options.pool)
    try {
      const runner = await run(optionsOf(handlers, options, pool, task, anew))
      const stopped = runner.promise.catch((err) => log.warn({ err }, 'the workers stopped; others take their place')).finally(anew)
      finished = stopped.finally(() => void pool.end().catch(nothing))
      return runner
    } catch (error) {
      void pool.end().catch(nothing)
      throw error
    }
  }

  async function renew() {
    if (stopped) return
    const mine = ++generation
    void current.stop().catch(nothing)
    let next: Runner | undefined
    while (!next && mine === generation && !stopped) next = await begin(mine).catch(() => Bun.sleep(AGAIN_MS).then(() => undefined))
    if (!next) return
    if (stopped || mine !== generation) return void next.stop().catch(nothing)
    current = next
  }

  /** Others do by now what this process had in hand. */
  const lost = () => {
    end.abort(new Error('This process was silent for too long.'))
    end = new AbortController()
    void renew()
  }

  processes.onProcessDead(releaseJobsOfDead)
  let current = await begin(generation)
  const forget = [options.database.onReturn(() => void renew()), processes.onFenced(lost)]
  return {
    async stop() {
      stopped = true
      for (const each of forget) each()
      void current.stop().catch(nothing)
      const late = setTimeout(() => end.abort(new Error('The process stops.')), FINISH_MS)
      await Promise.race([Promise.allSettled(inHand), Bun.sleep(options.shutdownMs)])
      clearTimeout(late)
      // That they are done is written within moments, unless the database is away.
      await Promise.race([finished, Bun.sleep(WRITE_MS)])
    },
  }
}

type Handler = (payload: unknown, signal: AbortSignal) => Promise<void>

const nothing = () => {}

/** Of the workers: no more than requests have, and one of them listens. */
const CONNECTIONS = { least: 3, most: 8 }

/**
 * Where the workers find the database. Theirs would stop to listen for errors before its last connection is closed, and a database that
 * breaks one then would end the process. `beside`: how many connections requests have.
 */
export function poolTo(connectionString: string, beside: number): Pool {
  const max = Math.min(CONNECTIONS.most, Math.max(CONNECTIONS.least, beside))
  const pool = new Pool({ connectionString, max })
  pool.on('error', nothing)
  pool.on('connect', (client) => client.on('error', nothing))
  return pool
}

function optionsOf(
  handlers: JobHandlers,
  { database, concurrency, cron, processes: { workers }, log }: Options,
  pgPool: Pool,
  task: (handler: Handler) => Task,
  fatal: () => void,
): RunnerOptions {
  const events = new EventEmitter() as WorkerEvents
  events.on('pool:create', ({ workerPool }) => workers.add(workerPool.id))
  events.on('pool:release', ({ workerPool }) => workers.delete(workerPool.id))
  events.on('pool:fatalError', fatal)
  // Behind a pooler nobody is told of new jobs.
  pollForAll(events, !database.pooled)
  const forbiddenFlags = sharesOf(events, Math.max(1, Math.floor(concurrency / OWNERS_AT_LEAST)))
  events.on('job:error', ({ job, error }) =>
    log.warn({ err: error, job: job.task_identifier, attempt: job.attempts }, 'a job failed and is tried again'),
  )
  events.on('job:failed', ({ job, error }) => log.error({ err: error, job: job.task_identifier }, 'a job failed for good'))
  return {
    pgPool,
    noHandleSignals: true,
    logger: silent,
    events,
    forbiddenFlags,
    preset: {
      worker: {
        concurrentJobs: concurrency,
        pollInterval: ALONE_MS,
        preparedStatements: !database.pooled,
        gracefulShutdownAbortTimeout: PATIENCE_MS,
        // Written together; and where that fails, it says so.
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
    // Which name goes with which payload is lost on the way through the entries.
    taskList: Object.fromEntries(Object.entries(handlers).map(([name, handler]) => [name, task(handler as Handler)])),
    parsedCronItems: parseCronItems(cron.map(({ job, at }) => ({ task: job, match: at, identifier: job }))),
  }
}

const ownerOf = ({ flags }: Job) => Object.keys(flags ?? {})[0]

/** Whose jobs are left for later, since as many as his share are in hand. Workers ask one after another, each knowing what the others took. */
function sharesOf(events: WorkerEvents, share: number) {
  const inHand = new Map<string, number>()
  let asking = Promise.resolve()
  let asked = nothing
  const count = (job: Job, by: 1 | -1) => {
    const owner = ownerOf(job)
    if (owner === undefined) return
    const now = (inHand.get(owner) ?? 0) + by
    if (now > 0) inHand.set(owner, now)
    else inHand.delete(owner)
  }
  events.on('job:start', ({ job }) => {
    count(job, 1)
    asked()
  })
  events.on('worker:getJob:empty', () => asked())
  events.on('worker:getJob:error', () => asked())
  events.on('job:complete', ({ job }) => count(job, -1))
  return async () => {
    const before = asking
    const mine = Promise.withResolvers<void>()
    asking = mine.promise
    await before
    asked = mine.resolve
    return [...inHand].flatMap(([owner, jobs]) => (jobs >= share ? [owner] : []))
  }
}

/** Also what a process took that died before it was known under which name it works. */
const releaseJobsOfDead = (sql: Queryable, { workers, silenceMs }: Dead) => sql`
  select graphile_worker.force_unlock_workers(array(
    select distinct locked_by from graphile_worker.jobs
    where locked_by is not null and (locked_by = any(${workers as string[]})
      or (locked_by <> all (array(select unnest(worker_ids) from processes)) and locked_at < now() - ${silenceMs} * interval '1 millisecond'))))`
