import type { Logger } from 'pino'
import type { Sql } from '../../../data/sql.ts'
import { evictOldest } from '../../../lib/evict-oldest.ts'
import type { ConnectionRef } from '../connections.model.ts'
import { recordSuccesses } from './attention.queries.ts'

/** Log of when connections last worked. */
export interface SuccessLog {
  /** Records a success. Cheap: writes in batches, and at most once in three minutes for a connection. */
  record(connection: ConnectionRef): void
  stop(): Promise<void>
}

const EVERY_SECONDS = 180
const FLUSH_MS = 500
const REMEMBERED_MAX = 50_000

/** Opens the log, which flushes every 500 ms. Failures are logged, not thrown. */
export function openSuccessLog(sql: Sql, log: Logger): SuccessLog {
  /** Time until which further successes of a connection are not written. */
  const noted = new Map<string, number>()
  let waiting: ConnectionRef[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<unknown> = Promise.resolve()

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const connections = waiting
    waiting = []
    if (connections.length === 0) return writing
    writing = writing
      .then(() => recordSuccesses(sql, connections, EVERY_SECONDS))
      .catch((err) => {
        for (const { id } of connections) noted.delete(id)
        log.debug({ err }, 'the successes of connections could not be recorded')
      })
    return writing
  }

  return {
    record({ projectId, id }) {
      const now = Date.now()
      if ((noted.get(id) ?? 0) > now) return
      noted.set(id, now + EVERY_SECONDS * 1000)
      evictOldest(noted, REMEMBERED_MAX)
      waiting.push({ projectId, id })
      timer ??= setTimeout(flush, FLUSH_MS)
    },
    async stop() {
      await flush()
    },
  }
}
