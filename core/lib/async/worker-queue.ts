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
export function workerQueue<Job, Result>(file: URL, options: WorkerQueueOptions<Job>) {
  const waiting = new FairQueue<() => Promise<void>>()
  const pending = new JobCounter(options)
  const worker = new LazyWorker<Job, Result>(file, options)
  let isBusy = false

  async function runWaiting() {
    if (isBusy) return
    isBusy = true
    worker.stayAwake()
    for (let next = waiting.shift(); next; next = waiting.shift()) await next.item()
    isBusy = false
    worker.stopWhenIdle()
  }

  return async (job: Job, owner = '', signal?: AbortSignal): Promise<Result> => {
    signal?.throwIfAborted()
    if (pending.isFull(owner)) throw options.overloadError()
    pending.add(owner, 1)
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const run = () => worker.run(job).then(resolve, reject)
    const leave = () => {
      if (waiting.remove(run)) reject(signal?.reason)
    }
    signal?.addEventListener('abort', leave)
    waiting.push(owner, run)
    void runWaiting()
    return promise.finally(() => {
      pending.add(owner, -1)
      signal?.removeEventListener('abort', leave)
    })
  }
}

/** Counts the pending jobs of a queue, in all and by owner. */
class JobCounter {
  readonly #byOwner = new Map<string, number>()
  #all = 0

  constructor(readonly limits: Pick<WorkerQueueOptions<never>, 'maxJobs' | 'maxJobsPerOwner'>) {}

  isFull(owner: string): boolean {
    const { maxJobs, maxJobsPerOwner = maxJobs } = this.limits
    return this.#all >= maxJobs || (this.#byOwner.get(owner) ?? 0) >= maxJobsPerOwner
  }

  add(owner: string, by: number) {
    this.#all += by
    const own = (this.#byOwner.get(owner) ?? 0) + by
    if (own === 0) this.#byOwner.delete(owner)
    else this.#byOwner.set(owner, own)
  }
}

/** Worker that starts with its first job, and again after it was stopped. */
class LazyWorker<Job, Result> {
  #worker: Worker | undefined
  #idle: ReturnType<typeof setTimeout> | undefined

  constructor(
    readonly file: URL,
    readonly options: WorkerQueueOptions<Job>,
  ) {}

  /** Runs one job. Stops the worker if it does not answer; the next job starts another one. */
  async run(job: Job): Promise<Result> {
    const { transferablesOf, jobTimeoutMs, timeoutError } = this.options
    this.#worker ??= this.#start()
    const answer = await answerOf<Result>(this.#worker, job, transferablesOf?.(job) ?? [], jobTimeoutMs, timeoutError).catch((error) => {
      this.#stop()
      throw error
    })
    if ('failed' in answer) throw new Error(`A worker failed: ${answer.failed}`)
    return answer.result
  }

  stayAwake() {
    clearTimeout(this.#idle)
  }

  stopWhenIdle() {
    this.#idle = setTimeout(() => this.#stop(), this.options.idleTimeoutMs)
    this.#idle.unref()
  }

  #start(): Worker {
    const started = new Worker(this.file)
    started.unref()
    return started
  }

  #stop() {
    this.#worker?.terminate()
    this.#worker = undefined
  }
}

function answerOf<Result>(
  worker: Worker,
  job: unknown,
  transferables: ArrayBuffer[],
  timeoutMs: number,
  timeoutError: () => Error,
): Promise<Answer<Result>> {
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => reject(timeoutError()), timeoutMs)
    worker.onmessage = ({ data }) => {
      clearTimeout(deadline)
      resolve(data)
    }
    worker.onerror = ({ message }) => {
      clearTimeout(deadline)
      reject(new Error(`A worker stopped: ${message}`))
    }
    worker.postMessage(job, transferables)
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
