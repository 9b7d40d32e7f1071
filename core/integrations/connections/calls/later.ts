import type { Logger } from 'pino'
import type { Sql } from '../../../data/sql.ts'
import { openSuccesses, type Successes } from '../health/successes.ts'

/** Background work that follows from calls and delays none of them. */
export interface Work {
  readonly successes: Successes
  /** Runs work in the background, and completes it before the process ends. Logs failures. */
  later(work: () => PromiseLike<unknown>): void
  /** Runs work once for concurrent callers with the same key, who share its result. Completes it before the process ends. */
  together<V>(key: string, work: () => Promise<V>): Promise<V>
  stop(): Promise<void>
}

/** Opens the background work of connections. */
export function openWork(sql: Sql, log: Logger): Work {
  const running = new Set<PromiseLike<unknown>>()
  const shared = new Map<string, Promise<unknown>>()
  const successes = openSuccesses(sql, log)
  return {
    successes,
    later(work) {
      const done = Promise.resolve(work())
        .catch((err) => log.warn({ err }, 'background work of a connection failed'))
        .finally(() => running.delete(done))
      running.add(done)
    },
    together<V>(key: string, work: () => Promise<V>) {
      const begun = shared.get(key) ?? work().finally(() => shared.delete(key))
      shared.set(key, begun)
      return begun as Promise<V>
    },
    async stop() {
      await Promise.allSettled([...shared.values(), ...running])
      await successes.stop()
    },
  }
}
