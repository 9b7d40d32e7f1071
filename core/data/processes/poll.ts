import type { Job, WorkerEvents, WorkerPool } from 'graphile-worker'

/** Interval of polls for jobs that became due or were not announced. */
const POLL_MS = 200
/** Delay until a finished job is recorded. The next job of its queue can start then. */
const WRITTEN_MS = 20
/** Poll interval of a worker on its own. Long, because {@link pollForWorkers} wakes the workers. */
export const FALLBACK_POLL_MS = 60_000

/**
 * Polls for all workers at once, instead of each idle worker on its own. A worker that finds an unannounced job wakes the next one, until
 * no job is left. `announced`: true if the database notifies of new jobs.
 */
export function pollForWorkers(events: WorkerEvents, { announced }: { readonly announced: boolean }): void {
  let pool: WorkerPool | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  const nudge = () => pool?.nudge(1)
  const stop = () => {
    pool = undefined
    clearInterval(timer)
  }
  events.on('pool:create', ({ workerPool }) => {
    pool = workerPool
    timer = setInterval(nudge, POLL_MS)
  })
  for (const event of ['pool:gracefulShutdown', 'pool:forcefulShutdown', 'pool:fatalError', 'pool:release'] as const) events.on(event, stop)
  events.on('job:start', ({ job }) => {
    if (!announced || isDelayed(job)) nudge()
  })
  events.on('job:complete', ({ job }) => {
    if (job.job_queue_id !== null) setTimeout(nudge, WRITTEN_MS)
  })
}

const isDelayed = ({ attempts, run_at: runAt, created_at: createdAt }: Job) => attempts > 1 || runAt > createdAt
