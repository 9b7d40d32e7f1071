import type { Sql } from '../../data/sql.ts'
import { type Call, insertCalls } from './calls.queries.ts'

/** What an account was asked, durable before it is asked. */
export interface Calls {
  /** Resolves when the call is noted. */
  note(call: Call): Promise<unknown>
}

/** Those who come while others are being written are written together next. */
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
