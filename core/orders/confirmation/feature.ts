import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { canConfirm } from '../change/unassign-restricted.ts'
import { queueTimes } from './calling-hours.ts'
import { confirmationRoutes } from './confirmation.routes.ts'
import { releaseLeasesOf } from './queue.queries.ts'

const QUEUE = `Keeps the queue in step with the status, phone and agent of orders. They change in many places and in bulk; a subscriber would cost a
  round trip for each order.`

/** Queue of orders to confirm by phone. An order stays in it while it waits for confirmation. */
export default feature('confirmation', {
  routes: [confirmationRoutes],
  partitions: [{ table: 'confirmation_calls', by: { column: 'order_id', ids: 'ord' }, weeks: 13, retentionDays: null }],
  subscribers: {
    async 'member.restricted'(tx, who) {
      if (!(await canConfirm(tx, who))) await releaseLeasesOf(tx, who.storeId, who.userId)
    },
  },
  triggers: [
    { table: 'orders', name: 'confirms_new', on: ['insert'], function: 'confirmation_follow', why: QUEUE, settings: queueTimes },
    { table: 'orders', name: 'confirms_change', on: ['update'], function: 'confirmation_follow', why: QUEUE, settings: queueTimes },
  ],
  personalData: [eraseBySearch({ table: 'confirmation_calls', owner: 'order', key: ['order_id', 'id'], columns: { reason: 'whole' } })],
})
