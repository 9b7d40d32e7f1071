import { AdapterError } from '../../adapter.ts'

/** So many at once, so many who wait for their turn, and nobody else. */
export interface Turnstile {
  /** Resolves once there is room; rejects as `unavailable` where too many wait, and with the signal's reason when it is aborted. */
  enter(signal: AbortSignal): Promise<void>
  leave(): void
  inside(): number
  waiting(): number
}

export function turnstile(places: number, waitingMax: number, what: string): Turnstile {
  let inside = 0
  const queue = new Set<() => void>()
  return {
    enter(signal) {
      if (signal.aborted) return Promise.reject(signal.reason)
      if (inside < places) {
        inside += 1
        return Promise.resolve()
      }
      if (queue.size >= waitingMax) return Promise.reject(new AdapterError('unavailable', `Too many wait for ${what}. Try again later.`))
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
