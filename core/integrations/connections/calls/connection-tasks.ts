import type { Logger } from 'pino'
import type { Sql } from '../../../data/sql.ts'
import { openSuccessLog, type SuccessLog } from '../health/success-log.ts'

/** Background work that follows from calls and delays none of them. */
export interface ConnectionTasks {
  readonly successLog: SuccessLog
  /** Runs work in the background, and completes it before the process ends. Logs failures. */
  runInBackground(work: () => PromiseLike<unknown>): void
  /** Runs work once for concurrent callers with the same key, who share its result. Completes it before the process ends. */
  runSingleFlight<V>(key: string, work: () => Promise<V>): Promise<V>
  stop(): Promise<void>
}

/** Opens the background work of connections. */
export function openConnectionTasks(sql: Sql, log: Logger): ConnectionTasks {
  const running = new Set<PromiseLike<unknown>>()
  const shared = new Map<string, Promise<unknown>>()
  const successes = openSuccessLog(sql, log)
  return {
    successLog: successes,
    runInBackground(work) {
      const done = Promise.resolve(work())
        .catch((err) => log.warn({ err }, 'background work of a connection failed'))
        .finally(() => running.delete(done))
      running.add(done)
    },
    runSingleFlight<V>(key: string, work: () => Promise<V>) {
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
