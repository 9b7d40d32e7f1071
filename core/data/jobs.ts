import { EventEmitter } from 'node:events'
import { parseCronItems, type Runner, run, type Task, type WorkerEvents, Logger as WorkerLogger } from 'graphile-worker'
import type { Logger } from 'pino'
import { newId } from '../lib/ids.ts'
import type { Queryable, Sql } from './sql.ts'

/** Every background job and what it carries. A feature adds its own by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by features
export interface Jobs {}
export type JobName = keyof Jobs & string

/** `signal` is aborted when the process stops and the job took too long to end by itself. */
export type JobHandlers = { readonly [N in JobName]: (payload: Jobs[N], signal: AbortSignal) => Promise<void> }

export interface EnqueueOptions {
  readonly runAt?: Date
  /** One job per key: a later one replaces what still waits. */
  readonly key?: string
  readonly maxAttempts?: number
  /** Jobs of one queue run one after another, wherever they run. */
  readonly queue?: string
}

/** Enqueues in the caller's transaction: the job exists exactly if what made it necessary was committed. */
export async function enqueue<N extends JobName>(sql: Queryable, name: N, payload: Jobs[N], options: EnqueueOptions = {}) {
  const { runAt = null, key = null, maxAttempts = 25, queue = null } = options
  await sql`select 1 from graphile_worker.add_job(${name}, payload => ${sql.json(payload as never)}::json, run_at => coalesce(${runAt}::timestamptz, now()),
    job_key => ${key}, max_attempts => ${maxAttempts}, queue_name => ${queue})`
}

export const silent = new WorkerLogger(() => () => {})

export interface CronEntry {
  readonly job: JobName
  /** Five fields, UTC. */
  readonly at: string
}

export interface Workers {
  stop(): Promise<void>
}

const HEARTBEAT_MS = 5_000
/** A process that was silent for this long is dead, and its jobs are given to others. */
const SILENCE_MS = 20_000

/** Works jobs until stopped; takes over those of processes that died. */
export async function startWorkers(
  sql: Sql,
  handlers: JobHandlers,
  options: { connectionString: string; concurrency: number; cron: readonly CronEntry[]; alone: boolean; log: Logger },
): Promise<Workers> {
  const { log } = options
  const workerIds: string[] = []
  const events = new EventEmitter() as WorkerEvents
  events.on('worker:create', ({ worker }) => workerIds.push(worker.workerId))
  events.on('job:error', ({ job, error }) =>
    log.warn({ err: error, job: job.task_identifier, attempt: job.attempts }, 'a job failed and is tried again'),
  )
  events.on('job:failed', ({ job, error }) => log.error({ err: error, job: job.task_identifier }, 'a job failed for good'))
  if (options.alone) await releaseJobsOfDead(sql, [])
  const runner: Runner = await run({
    connectionString: options.connectionString,
    concurrency: options.concurrency,
    maxPoolSize: 8,
    noHandleSignals: true,
    pollInterval: 1_000,
    logger: silent,
    events,
    taskList: Object.fromEntries(Object.entries(handlers).map(([name, handler]) => [name, asTask(handler as never)])),
    parsedCronItems: parseCronItems(options.cron.map(({ job, at }) => ({ task: job, match: at, identifier: job }))),
  })
  const heart = beat(sql, workerIds, log)
  return {
    async stop() {
      await runner.stop()
      await heart.stop()
    },
  }
}

const asTask =
  (handler: (payload: unknown, signal: AbortSignal) => Promise<void>): Task =>
  (payload, helpers) =>
    handler(payload, helpers.abortSignal as unknown as AbortSignal)

/** Says that this process lives, and frees the jobs of those that no longer say so. */
function beat(sql: Sql, workerIds: readonly string[], log: Logger) {
  const id = newId('prc')
  let stopped = false
  const once = async () => {
    await sql`insert into worker_processes (id, worker_ids) values (${id}, ${workerIds as string[]})
      on conflict (id) do update set worker_ids = excluded.worker_ids, seen_at = now()`
    const live = await sql<
      { workerIds: string[] }[]
    >`select worker_ids from worker_processes where seen_at > now() - ${SILENCE_MS} * interval '1 millisecond'`
    await sql`delete from worker_processes where seen_at < now() - interval '1 hour'`
    await releaseJobsOfDead(
      sql,
      live.flatMap((row) => row.workerIds),
    )
  }
  const loop = (async () => {
    while (!stopped) {
      await once().catch((err) => log.warn({ err }, 'the heartbeat failed'))
      for (let waited = 0; waited < HEARTBEAT_MS && !stopped; waited += 100) await Bun.sleep(100)
    }
    await sql`delete from worker_processes where id = ${id}`.catch(() => {})
  })()
  return {
    async stop() {
      stopped = true
      await loop
    },
  }
}

async function releaseJobsOfDead(sql: Sql, live: readonly string[]) {
  await sql`select graphile_worker.force_unlock_workers(array(
    select distinct locked_by from graphile_worker.jobs
    where locked_by is not null and locked_by <> all (${live as string[]}) and locked_at < now() - ${live.length > 0 ? SILENCE_MS : 0} * interval '1 millisecond'))`
}
