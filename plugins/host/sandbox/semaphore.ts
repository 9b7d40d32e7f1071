import { AdapterError } from '../../adapter.ts'

/** Limits concurrency: a fixed number of holders, a queue of limited length, and rejections beyond it. */
export interface Semaphore {
  /** Resolves once a place is free. Rejects as `unavailable` if the queue is full, and with the signal's reason if it is aborted. */
  enter(signal: AbortSignal): Promise<void>
  leave(): void
  inside(): number
  waiting(): number
}

/** Creates a semaphore with `places` holders and `waitingMax` in its queue. `what` names it in the error. */
export function semaphore(places: number, waitingMax: number, what: string): Semaphore {
  let inside = 0
  const queue = new Set<() => void>()
  return {
    enter(signal) {
      if (signal.aborted) return Promise.reject(signal.reason)
      if (inside < places) {
        inside += 1
        return Promise.resolve()
      }
      if (queue.size >= waitingMax)
        return Promise.reject(new AdapterError('unavailable', `Too many calls are waiting for ${what}. Try again later.`))
      return new Promise((resolve, reject) => {
        const onAbort = () => {
          queue.delete(onTurn)
          reject(signal.reason)
        }
        const onTurn = () => {
          queue.delete(onTurn)
          signal.removeEventListener('abort', onAbort)
          resolve()
        }
        queue.add(onTurn)
        signal.addEventListener('abort', onAbort, { once: true })
      })
    },
    leave() {
      const [next] = queue
      if (next) next()
      else inside -= 1
    },
    inside: () => inside,
    waiting: () => queue.size,
  }
}
