import type { Logger } from 'pino'
import type { Sql } from '../../../data/sql.ts'
import { openSuccesses, type Successes } from '../health/successes.ts'

/** What follows from calls and holds none of them up. */
export interface Work {
  readonly successes: Successes
  /** Done beside whoever it follows from, and before the process ends. */
  later(work: () => PromiseLike<unknown>): void
  /** Whoever asks for the same meanwhile is given what the first one gets. It is done before the process ends. */
  together<V>(key: string, work: () => Promise<V>): Promise<V>
  stop(): Promise<void>
}

export function openWork(sql: Sql, log: Logger): Work {
  const underWay = new Set<PromiseLike<unknown>>()
  const shared = new Map<string, Promise<unknown>>()
  const successes = openSuccesses(sql, log)
  return {
    successes,
    later(work) {
      const done = Promise.resolve(work())
        .catch((err) => log.warn({ err }, 'how a connection goes could not be written down'))
        .finally(() => underWay.delete(done))
      underWay.add(done)
    },
    together<V>(key: string, work: () => Promise<V>) {
      const begun = shared.get(key) ?? work().finally(() => shared.delete(key))
      shared.set(key, begun)
      return begun as Promise<V>
    },
    async stop() {
      await Promise.allSettled([...shared.values(), ...underWay])
      await successes.stop()
    },
  }
}
