import { type Sql, transaction } from '../../data/sql.ts'
import { expireReservation } from './reservations/release-reservation.ts'
import { listDueReservations } from './reservations/reservations.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'inventory.expireDue': Record<string, unknown>
  }
}

const BATCH_SIZE = 200

/** Expires reservations whose time is over, in batches. Each has a job of its own; this catches those whose job was lost. */
export async function expireDueReservations(sql: Sql, signal: AbortSignal) {
  for (;;) {
    const due = await listDueReservations(sql, BATCH_SIZE)
    for (const { projectId, id } of due) {
      if (signal.aborted) return
      await transaction(sql, (tx) => expireReservation(tx, projectId, id))
    }
    if (due.length < BATCH_SIZE) return
  }
}
