import { FairQueue } from './fair-queue.ts'

/** Limits of a worker queue, and the errors for jobs that exceed them. */
export interface WorkerQueueOptions<Job> {
  /** Milliseconds that a job may take. A slower job stops its worker, and no other job fails. */
  readonly jobTimeoutMs: number
  /** Jobs that may be pending at once, including the running one. */
  readonly maxJobs: number
  /** Jobs of one owner that may be pending at once. */
  readonly maxJobsPerOwner?: number
  /** Milliseconds after which an idle worker is stopped. */
  readonly idleTimeoutMs: number
  /** Buffers of a job that are transferred to the worker instead of being copied. */
  readonly transferablesOf?: (job: Job) => ArrayBuffer[]
  readonly timeoutError: () => Error
  readonly overloadError: () => Error
}

type Answer<Result> = { readonly result: Result } | { readonly failed: string }

/**
 * Runs jobs in one worker, off the event loop. The worker runs `file`, starts with the first job and stops when idle. It runs one job at a
 * time, and owners take turns. Jobs and results are plain data. `file` must call `serveWorkerJobs`. An error in the worker rejects the job here.
 * A job whose `signal` is aborted while it waits is not run, and rejects with the signal's reason.
 */
export function workerQueue<Job, Result>(
  file: URL,
  {
    jobTimeoutMs: jobMs,
    maxJobs: jobsMax,
    maxJobsPerOwner: ownMax = jobsMax,
    idleTimeoutMs: idleMs,
    transferablesOf: handedOver = () => [],
    timeoutError: tooLong,
    overloadError: tooMany,
  }: WorkerQueueOptions<Job>,
) {
  const waiting = new FairQueue<() => Promise<void>>()
  const owners = new Map<string, number>()
  let worker: Worker | undefined
  let idle: ReturnType<typeof setTimeout> | undefined
  let isBusy = false
  let jobs = 0

  function start(): Worker {
    const started = new Worker(file)
    started.unref()
    return started
  }

  function stop() {
    worker?.terminate()
    worker = undefined
  }

  /** Runs one job. Stops the worker if it does not answer; the next job starts another one. */
  async function work(job: Job): Promise<Result> {
    worker ??= start()
    const answer = await answerOf<Result>(worker, job, handedOver(job), jobMs, tooLong).catch((error) => {
      stop()
      throw error
    })
    if ('failed' in answer) throw new Error(`A worker failed: ${answer.failed}`)
    return answer.result
  }

  async function runWaiting() {
    if (isBusy) return
    isBusy = true
    clearTimeout(idle)
    for (let next = waiting.shift(); next; next = waiting.shift()) await next.item()
    isBusy = false
    idle = setTimeout(stop, idleMs)
    idle.unref()
  }

  const count = (owner: string, by: number) => {
    jobs += by
    const own = (owners.get(owner) ?? 0) + by
    if (own === 0) owners.delete(owner)
    else owners.set(owner, own)
  }

  return async (job: Job, owner = '', signal?: AbortSignal): Promise<Result> => {
    signal?.throwIfAborted()
    if (jobs >= jobsMax || (owners.get(owner) ?? 0) >= ownMax) throw tooMany()
    count(owner, 1)
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const run = () => work(job).then(resolve, reject)
    const leave = () => {
      if (waiting.remove(run)) reject(signal?.reason)
    }
    signal?.addEventListener('abort', leave)
    waiting.push(owner, run)
    void runWaiting()
    return promise.finally(() => {
      count(owner, -1)
      signal?.removeEventListener('abort', leave)
    })
  }
}

function answerOf<Result>(
  worker: Worker,
  job: unknown,
  handedOver: ArrayBuffer[],
  within: number,
  tooLong: () => Error,
): Promise<Answer<Result>> {
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => reject(tooLong()), within)
    worker.onmessage = ({ data }) => {
      clearTimeout(deadline)
      resolve(data)
    }
    worker.onerror = ({ message }) => {
      clearTimeout(deadline)
      reject(new Error(`A worker stopped: ${message}`))
    }
    worker.postMessage(job, handedOver)
  })
}

declare const self: Worker

/** Serves the jobs of a worker queue. Call it in the worker's file. */
export function serveWorkerJobs<Job, Result>(work: (job: Job) => Promise<Result>) {
  self.onmessage = async ({ data }: MessageEvent<Job>) => {
    const answer: Answer<Result> = await work(data).then(
      (result) => ({ result }),
      (error: unknown) => ({ failed: String(error) }),
    )
    self.postMessage(answer)
  }
}
