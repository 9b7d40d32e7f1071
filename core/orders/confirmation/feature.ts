import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { canConfirm } from '../change/unassign-restricted.ts'
import { confirmationRoutes } from './confirmation.routes.ts'
import { followOrders } from './follow-orders.ts'
import { releaseLeasesOf } from './queue.queries.ts'
import { reasonRoutes } from './reasons/reasons.routes.ts'
import { countOrdersToConfirm } from './waiting.queries.ts'

/** Queue of orders to confirm by phone. An order stays in it while it waits for confirmation. */
export default feature('confirmation', {
  routes: [confirmationRoutes, reasonRoutes],
  partitions: [{ table: 'confirmation_calls', by: { column: 'order_id', ids: 'ord' }, weeks: 13, retentionDays: null }],
  subscribers: {
    'orders.changed': (tx, { changes }) => followOrders(tx, changes),
    async 'member.restricted'(tx, who) {
      if (!(await canConfirm(tx, who))) await releaseLeasesOf(tx, who.storeId, who.userId)
    },
  },
  attention: [
    {
      kind: 'orders_to_confirm',
      meaning: 'Customers whose call is due: confirm their orders at the desk.',
      group: 'orders',
      right: ['agent', 'orders:write'],
      count: countOrdersToConfirm,
    },
  ],
  personalData: [eraseBySearch({ table: 'confirmation_calls', owner: 'order', key: ['order_id', 'id'], columns: { reason: 'whole' } })],
})
