import { FairQueue } from './fair-queue.ts'

/** What a queue grants its jobs, and the errors of what it does not. */
export interface Terms<Job> {
  /** Milliseconds. A job that takes longer stops its worker, and nothing else. */
  readonly jobMs: number
  /** How many jobs may be asked for at once, the one at work among them. */
  readonly jobsMax: number
  /** The same of one owner. */
  readonly ownMax?: number
  /** Milliseconds that a worker without a job is kept. */
  readonly idleMs: number
  /** What of a job moves to the worker instead of being copied. */
  readonly handedOver?: (job: Job) => ArrayBuffer[]
  readonly tooLong: () => Error
  readonly tooMany: () => Error
}

type Answer<Result> = { readonly result: Result } | { readonly failed: string }

/**
 * Work beside the event loop: one worker that runs `file`, started with the first job, given one job at a time, of each owner in turn, and
 * stopped when it has none. Jobs and results are plain data. `file` answers with `answerJobs`; what it throws is an error here.
 */
export function workerQueue<Job, Result>(
  file: URL,
  { jobMs, jobsMax, ownMax = jobsMax, idleMs, handedOver = () => [], tooLong, tooMany }: Terms<Job>,
) {
  const waiting = new FairQueue<() => Promise<void>>()
  const owners = new Map<string, number>()
  let worker: Worker | undefined
  let idle: ReturnType<typeof setTimeout> | undefined
  let isAtWork = false
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

  /** Whatever becomes of a worker that did not answer, the next job has another. */
  async function work(job: Job): Promise<Result> {
    worker ??= start()
    const answer = await answerOf<Result>(worker, job, handedOver(job), jobMs, tooLong).catch((error) => {
      stop()
      throw error
    })
    if ('failed' in answer) throw new Error(`A worker failed: ${answer.failed}`)
    return answer.result
  }

  async function workThrough() {
    if (isAtWork) return
    isAtWork = true
    clearTimeout(idle)
    for (let next = waiting.shift(); next; next = waiting.shift()) await next.item()
    isAtWork = false
    idle = setTimeout(stop, idleMs)
    idle.unref()
  }

  const count = (owner: string, by: number) => {
    jobs += by
    const own = (owners.get(owner) ?? 0) + by
    if (own === 0) owners.delete(owner)
    else owners.set(owner, own)
  }

  return async (job: Job, owner = ''): Promise<Result> => {
    if (jobs >= jobsMax || (owners.get(owner) ?? 0) >= ownMax) throw tooMany()
    count(owner, 1)
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    waiting.push(owner, () =>
      work(job)
        .then(resolve, reject)
        .finally(() => count(owner, -1)),
    )
    void workThrough()
    return promise
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

/** For the worker's file: does each job that comes. */
export function answerJobs<Job, Result>(work: (job: Job) => Promise<Result>) {
  self.onmessage = async ({ data }: MessageEvent<Job>) => {
    const answer: Answer<Result> = await work(data).then(
      (result) => ({ result }),
      (error: unknown) => ({ failed: String(error) }),
    )
    self.postMessage(answer)
  }
}
