import type { Sql } from '../../data/sql.ts'
import { insertCalls, type RecordedCall } from './call-log.queries.ts'

/** Durable log of calls to rate-limited accounts, written before each call leaves. */
export interface CallLog {
  /** Resolves once the call is stored. Rejects if it could not be stored. */
  record(call: RecordedCall): Promise<unknown>
}

/** Opens the log. Calls that arrive while a batch is being written form the next batch. */
export function openCallLog(sql: Sql): CallLog {
  let next: { readonly calls: RecordedCall[]; readonly written: Promise<unknown> } | undefined
  let writing: Promise<unknown> = Promise.resolve()

  function begin() {
    const calls: RecordedCall[] = []
    const written = writing.then(() => {
      next = undefined
      return insertCalls(sql, calls)
    })
    writing = written.catch(() => {})
    return { calls, written }
  }

  return {
    record(call) {
      next ??= begin()
      next.calls.push(call)
      return next.written
    },
  }
}
