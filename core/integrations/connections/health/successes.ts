import type { Logger } from 'pino'
import type { Sql } from '../../../data/sql.ts'
import { evictOldest } from '../../../lib/evict-oldest.ts'
import { noteSuccesses } from './attention.queries.ts'

/** When the other sides of connections last did what they were asked. */
export interface Successes {
  /** Costs nothing: it is written in a moment, with others, and of one connection once in a few minutes. */
  note(connectionId: string): void
  stop(): Promise<void>
}

const EVERY_SECONDS = 180
const FLUSH_MS = 500
const REMEMBERED_MAX = 50_000

export function openSuccesses(sql: Sql, log: Logger): Successes {
  /** Until when a connection's next success says nothing new. */
  const noted = new Map<string, number>()
  let waiting: string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<unknown> = Promise.resolve()

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const ids = waiting
    waiting = []
    if (ids.length === 0) return writing
    writing = writing
      .then(() => noteSuccesses(sql, ids, EVERY_SECONDS))
      .catch((err) => {
        for (const id of ids) noted.delete(id)
        log.debug({ err }, 'that connections work could not be noted')
      })
    return writing
  }

  return {
    note(connectionId) {
      const now = Date.now()
      if ((noted.get(connectionId) ?? 0) > now) return
      noted.set(connectionId, now + EVERY_SECONDS * 1000)
      evictOldest(noted, REMEMBERED_MAX)
      waiting.push(connectionId)
      timer ??= setTimeout(flush, FLUSH_MS)
    },
    async stop() {
      await flush()
    },
  }
}
