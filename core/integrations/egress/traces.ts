import type { Logger } from 'pino'
import type { Sql } from '../../data/sql.ts'
import { newId } from '../../lib/ids.ts'
import { deleteOldCalls } from './calls.queries.ts'
import { deleteExcessTraces, insertTraces, type TraceRow } from './traces.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'gateway.forget': Record<string, unknown>
  }
}

const FLUSH_MS = 250
const ROWS_AT_ONCE = 200
/** Beyond this the oldest that were not written yet are given up: a trace never holds up what it tells of. */
const WAITING_MAX = 4_000
export const TRACES_KEPT_DAYS = 30
const KEPT_PER_CONNECTION = 50_000
const DELETED_AT_ONCE = 5_000

export interface Traces {
  /** Keeps a trace; it is written within a moment, together with others. */
  record(trace: Omit<TraceRow, 'id'>): void
  /** Writes what still waits. */
  stop(): Promise<void>
}

export function openTraces(sql: Sql, log: Logger): Traces {
  let waiting: TraceRow[] = []
  let lost = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> = Promise.resolve()

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(writeAll).catch((err) => log.warn({ err }, 'traces of carriers could not be written'))
    return writing
  }

  async function writeAll() {
    if (lost > 0) log.warn({ lost }, 'more was asked of carriers than could be traced')
    lost = 0
    for (let rows = waiting; rows.length > 0; rows = waiting) {
      waiting = rows.slice(ROWS_AT_ONCE)
      await insertTraces(sql, rows.slice(0, ROWS_AT_ONCE))
    }
  }

  return {
    record(trace) {
      if (waiting.length >= WAITING_MAX) lost += waiting.splice(0, ROWS_AT_ONCE).length
      waiting.push({ ...trace, id: newId('trc') })
      timer ??= setTimeout(flush, FLUSH_MS)
    },
    stop: flush,
  }
}

/** Forgets what is too much of one connection before its time comes; and calls that no window counts any more. */
export async function forgetTraces(sql: Sql, signal: AbortSignal) {
  while (!signal.aborted && (await deleteOldCalls(sql, DELETED_AT_ONCE)) === DELETED_AT_ONCE);
  await deleteExcessTraces(sql, KEPT_PER_CONNECTION)
}
