import { Type as T } from '@sinclair/typebox'
import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { transaction } from '../../data/sql.ts'
import { feature } from '../../feature.ts'
import { Id, Nullable } from '../../http/schema.ts'
import { type DataOf, eventOfProject } from '../../platform/webhooks/events.ts'
import { listDrift } from './drift.queries.ts'
import { expireDueReservations } from './inventory.jobs.ts'
import { Balance, Operation, Reservation } from './inventory.model.ts'
import { inventory } from './inventory.routes.ts'
import { ledgerTriggers } from './operations/ledger-triggers.ts'
import { allowErasure } from './operations/operations.queries.ts'
import { expireReservation } from './reservations/release-reservation.ts'

const event = eventOfProject('inventory')
const events = {
  'inventory.operation.posted': event(
    'Goods were received, moved, converted, corrected or handed out: add the movements to your books',
    Operation.properties,
  ),
  'inventory.stock.changed': event('The pieces on hand or those free for sale are different now: update what your shop shows', {
    ...T.Omit(Balance, ['unitCost']).properties,
    operationId: Nullable(Id, { description: 'null where a reservation changed the available quantity' }),
  }),
  'inventory.reservation.expired': event('Nobody fulfilled it in time, so its pieces are free for others', Reservation.properties),
}

declare module '../../platform/webhooks/events.ts' {
  interface Events extends DataOf<typeof events> {}
}

/** Inventory ledger of a project: operations, balances and reservations. */
export default feature('inventory', {
  routes: [inventory],
  events,
  partitions: [
    { table: 'inventory_operations', by: { column: 'id', ids: 'op' }, weeks: 13, retentionDays: null },
    { table: 'inventory_movements', by: { column: 'created_at', holds: 'moments' }, weeks: 13, retentionDays: null },
  ],
  checks: [
    {
      rule: 'Stock equals the sum of its movements, and reserved stock the sum of its reservations',
      find: (sql, limit) => listDrift(sql, undefined, limit),
    },
  ],
  jobs: {
    'inventory.expireReservation': {
      work: ({ sql }, { projectId, reservationId }) => transaction(sql, (tx) => expireReservation(tx, projectId, reservationId)),
    },
    'inventory.expireDue': { schedule: '* * * * *', work: ({ sql }, _, signal) => expireDueReservations(sql, signal) },
  },
  triggers: ledgerTriggers,
  personalData: [
    eraseBySearch({
      table: 'inventory_operations',
      owner: 'project',
      key: ['id'],
      columns: { note: 'text', reference: 'id' },
      created: 'created_at',
      prepare: allowErasure,
    }),
  ],
})
