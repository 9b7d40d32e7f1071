import type { Sql } from '../../data/sql.ts'
import { type Call, insertCalls } from './calls.queries.ts'

/** Durable log of calls to rate-limited accounts, written before each call leaves. */
export interface Calls {
  /** Resolves once the call is stored. Rejects if it could not be stored. */
  note(call: Call): Promise<unknown>
}

/** Opens the log. Calls that arrive while a batch is being written form the next batch. */
export function openCalls(sql: Sql): Calls {
  let next: { readonly calls: Call[]; readonly written: Promise<unknown> } | undefined
  let writing: Promise<unknown> = Promise.resolve()

  function begin() {
    const calls: Call[] = []
    const written = writing.then(() => {
      next = undefined
      return insertCalls(sql, calls)
    })
    writing = written.catch(() => {})
    return { calls, written }
  }

  return {
    note(call) {
      next ??= begin()
      next.calls.push(call)
      return next.written
    },
  }
}
