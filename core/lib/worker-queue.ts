/** What a queue grants its jobs, and the errors of what it does not. */
export interface Terms {
  /** Milliseconds. A job that takes longer stops its worker, and nothing else. */
  readonly jobMs: number
  /** How many jobs may be asked for at once, the one at work among them. */
  readonly jobsMax: number
  /** Milliseconds that a worker without a job is kept. */
  readonly idleMs: number
  readonly tooLong: () => Error
  readonly tooMany: () => Error
}

type Answer<Result> = { readonly result: Result } | { readonly failed: string }

/**
 * Work beside the event loop: one worker that runs `file`, started with the first job, given one job at a time and stopped when it has
 * none. Jobs and results are plain data. `file` answers with `answerJobs`; what it throws is an error here.
 */
export function workerQueue<Job, Result>(file: URL, { jobMs, jobsMax, idleMs, tooLong, tooMany }: Terms) {
  let worker: Worker | undefined
  let idle: ReturnType<typeof setTimeout> | undefined
  let jobs = 0
  let last: Promise<unknown> = Promise.resolve()

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
    const answer = await answerOf<Result>(worker, job, jobMs, tooLong).catch((error) => {
      stop()
      throw error
    })
    if ('failed' in answer) throw new Error(`A worker failed: ${answer.failed}`)
    return answer.result
  }

  function leave() {
    jobs -= 1
    if (jobs > 0) return
    idle = setTimeout(stop, idleMs)
    idle.unref()
  }

  return async (job: Job): Promise<Result> => {
    if (jobs >= jobsMax) throw tooMany()
    clearTimeout(idle)
    jobs += 1
    const turn = last.then(() => work(job)).finally(leave)
    last = turn.catch(() => {})
    return turn
  }
}

function answerOf<Result>(worker: Worker, job: unknown, within: number, tooLong: () => Error): Promise<Answer<Result>> {
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
    worker.postMessage(job)
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
