import type { Context } from '../context.ts'
import type { CronEntry, JobHandlers } from '../data/jobs.ts'
import { transaction } from '../data/sql.ts'
import { expireReservation } from './release.ts'
import { listDueReservations } from './reservations.queries.ts'
import { findDrift } from './verify.ts'

declare module '../data/jobs.ts' {
  interface Jobs {
    'inventory.expireDue': Record<string, unknown>
    'inventory.verify': Record<string, unknown>
  }
}

type InventoryJobs = 'inventory.expireReservation' | 'inventory.expireDue' | 'inventory.verify'

const SWEPT_AT_ONCE = 200

export const inventoryJobs = ({ sql, log }: Context): Pick<JobHandlers, InventoryJobs> => ({
  'inventory.expireReservation': ({ projectId, reservationId }) =>
    transaction(sql, (tx) => expireReservation(tx, projectId, reservationId)),
  // Each reservation has a job of its own; this finds those whose job was lost.
  async 'inventory.expireDue'(_, signal) {
    for (;;) {
      const due = await listDueReservations(sql, SWEPT_AT_ONCE)
      for (const { projectId, id } of due) {
        if (signal.aborted) return
        await transaction(sql, (tx) => expireReservation(tx, projectId, id))
      }
      if (due.length < SWEPT_AT_ONCE) return
    }
  },
  async 'inventory.verify'() {
    for (const drift of await findDrift(sql)) log.error({ drift }, 'the inventory does not add up')
  },
})

export const inventoryCron: readonly CronEntry[] = [
  { job: 'inventory.expireDue', at: '* * * * *' },
  { job: 'inventory.verify', at: '17 3 * * *' },
]
