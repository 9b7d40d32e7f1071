import type { Context } from '../../context.ts'
import { type Sql, transaction, withoutStatementTimeout } from '../../data/sql.ts'
import { expireReservation } from './reservations/release.ts'
import { listDueReservations } from './reservations/reservations.queries.ts'
import { findDrift } from './verify.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'inventory.expireDue': Record<string, unknown>
    'inventory.verify': Record<string, unknown>
  }
}

const SWEPT_AT_ONCE = 200

/** Each reservation has a job of its own; this finds those whose job was lost. */
export async function expireDue(sql: Sql, signal: AbortSignal) {
  for (;;) {
    const due = await listDueReservations(sql, SWEPT_AT_ONCE)
    for (const { projectId, id } of due) {
      if (signal.aborted) return
      await transaction(sql, (tx) => expireReservation(tx, projectId, id))
    }
    if (due.length < SWEPT_AT_ONCE) return
  }
}

export async function logDrift({ sql, log }: Context) {
  for (const drift of await withoutStatementTimeout(sql, findDrift)) log.error({ drift }, 'the inventory does not add up')
}
