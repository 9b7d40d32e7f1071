import type { Logger } from 'pino'
import type { Sql } from '../../data/sql.ts'
import { newId } from '../../lib/ids.ts'
import { deleteExpiredCalls } from './call-log.queries.ts'
import { deleteExcessTraces, insertTraces, type TraceRow } from './traces.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'traces.deleteExpired': Record<string, unknown>
  }
}

const FLUSH_MS = 250
const ROWS_AT_ONCE = 200
/** Largest number of unwritten traces. Beyond it the oldest are dropped: tracing never delays a call. */
const WAITING_MAX = 4_000
/** Days for which traces are kept. */
export const TRACE_RETENTION_DAYS = 30
const KEPT_PER_CONNECTION = 50_000
const DELETED_AT_ONCE = 5_000

/** Writer of traces in batches. */
export interface TraceWriter {
  /** Queues a trace, which is written within a moment in a batch. */
  record(trace: Omit<TraceRow, 'id'>): void
  /** Writes all queued traces. */
  stop(): Promise<void>
}

/** Opens the writer, which flushes every 250 ms. Logs failures and dropped traces; never throws. */
export function openTraceWriter(sql: Sql, log: Logger): TraceWriter {
  let waiting: TraceRow[] = []
  let lost = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> = Promise.resolve()

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(writeAll).catch((err) => log.warn({ err }, 'traces could not be written'))
    return writing
  }

  async function writeAll() {
    if (lost > 0) log.warn({ lost }, 'some traces were dropped')
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

/** Deletes the excess traces of busy connections, and the logged calls that no window counts any more. */
export async function deleteExcessTracesAndCalls(sql: Sql, signal: AbortSignal) {
  while (!signal.aborted && (await deleteExpiredCalls(sql, DELETED_AT_ONCE)) === DELETED_AT_ONCE);
  await deleteExcessTraces(sql, KEPT_PER_CONNECTION)
}
