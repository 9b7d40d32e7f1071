import type { Job, WorkerEvents, WorkerPool } from 'graphile-worker'

/** So often it is looked for what has become due, or was not announced. */
const LOOK_MS = 200
/** Until it is written that a job is done: the next one of its queue is free then. */
const WRITTEN_MS = 20
/** What a worker that is never sent would ask by itself. */
export const ALONE_MS = 60_000

/**
 * Workers without a job would each ask the database again and again. One looks for all of them, and whoever finds what was not announced sends
 * the next one to look, until nothing is found. `announced`: whether the database tells of new jobs.
 */
export function pollForAll(events: WorkerEvents, announced: boolean): void {
  let pool: WorkerPool | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  const look = () => pool?.nudge(1)
  const end = () => {
    pool = undefined
    clearInterval(timer)
  }
  events.on('pool:create', ({ workerPool }) => {
    pool = workerPool
    timer = setInterval(look, LOOK_MS)
  })
  for (const event of ['pool:gracefulShutdown', 'pool:forcefulShutdown', 'pool:fatalError', 'pool:release'] as const) events.on(event, end)
  events.on('job:start', ({ job }) => {
    if (!announced || isDelayed(job)) look()
  })
  events.on('job:complete', ({ job }) => {
    if (job.job_queue_id !== null) setTimeout(look, WRITTEN_MS)
  })
}

const isDelayed = ({ attempts, run_at: runAt, created_at: createdAt }: Job) => attempts > 1 || runAt > createdAt
