import { eraseBySearch } from '../data/personal-data/search-person.ts'
import { feature } from '../feature.ts'
import { Id, oneOf } from '../http/schema.ts'
import { type DataOf, eventOfStore } from '../platform/webhooks/events.ts'
import { orderChangeRoutes } from './change/change.routes.ts'
import { unassignRestrictedMember } from './change/unassign-restricted.ts'
import { orderChecks } from './checks.ts'
import { personalComments } from './comments/comments.queries.ts'
import { commentRoutes } from './comments/comments.routes.ts'
import { Order } from './orders.model.ts'
import { orderRoutes } from './orders.routes.ts'
import { applyParcelMoves, detachParcel, releaseOrder } from './parcels/apply-parcel-moves.ts'
import { restockReceived } from './parcels/restock-received.ts'
import { assertParcelSendable } from './parcels/send-rule.ts'
import { personalOrders, secondPhones } from './personal-data.queries.ts'
import { cancelOverdueOrders } from './public/cancel-unconfirmed.ts'
import { recordRecipientOutcomes } from './public/recipients.ts'
import { returnRoutes } from './returns/returns.routes.ts'
import { countAwaitedReturns } from './returns/waiting.queries.ts'
import { copyChangedOrders, personalCopies } from './search/copy-changed-orders.ts'
import { orderStatuses } from './statuses.ts'
import { tagRoutes } from './tags/tags.routes.ts'

const Status = oneOf(orderStatuses)
const events = {
  'order.created': eventOfStore('A sale came in from a member, a program, a storefront or a connected shop', { order: Order }),
  'order.updated': eventOfStore('Customer, address, goods, amounts or agent of a sale were edited', { order: Order }),
  'order.status_changed': eventOfStore('A sale moved on, for instance from `pending` to `confirmed`, by a user or by its parcel', {
    order: Order,
    fromStatus: Status,
    toStatus: Status,
  }),
  'order.deleted': eventOfStore('A sale was removed: drop your copy of it', { id: Id, reference: Order.properties.reference }),
}

declare module '../platform/webhooks/events.ts' {
  interface Events extends DataOf<typeof events> {}
}

export default feature('orders', {
  routes: [orderRoutes, orderChangeRoutes, returnRoutes, commentRoutes, tagRoutes],
  partitions: [{ table: 'order_status_changes', by: { column: 'order_id', ids: 'ord' }, weeks: 13, retentionDays: null }],
  events,
  jobs: {
    'orders.cancelUnconfirmed': { schedule: '* * * * *', work: (context, _, signal) => cancelOverdueOrders(context, signal) },
  },
  checks: orderChecks,
  subscribers: {
    'orders.changed': (tx, { changes }) => copyChangedOrders(tx, changes),
    async 'parcels.moved'(tx, { moves }) {
      await applyParcelMoves(tx, moves)
      await recordRecipientOutcomes(tx, moves)
    },
    async 'parcel.submission_requested'(tx, sending) {
      const { parcel, force } = sending
      if (parcel.orderId !== null) sending.forced = await assertParcelSendable(tx, parcel, { force })
    },
    'member.restricted': unassignRestrictedMember,
    'parcel.return_received': (tx, { parcel }) => restockReceived(tx, parcel),
    'parcel.cancelled': (tx, { parcel }) => releaseOrder(tx, parcel),
    'parcel.removed': (tx, { parcel }) => detachParcel(tx, parcel),
  },
  attention: [
    {
      kind: 'returns_awaited',
      meaning: 'Goods that customers send back: receive or cancel their returns.',
      group: 'orders',
      right: ['agent', 'orders:write'],
      count: countAwaitedReturns,
    },
  ],
  personalData: [
    personalOrders,
    secondPhones,
    personalComments,
    eraseBySearch({ table: 'order_tags', owner: 'order', key: ['order_id', 'tag'], columns: { tag: 'id' } }),
    personalCopies,
    eraseBySearch({ table: 'order_status_changes', owner: 'order', key: ['order_id', 'id'], columns: { reason: 'whole' } }),
    eraseBySearch({ table: 'order_parts', owner: 'order', key: ['order_id', 'id'], columns: { name: 'text' } }),
    // Names of items may contain a person's name; the other columns of the lines stay.
    eraseBySearch({
      table: 'order_items',
      owner: 'order',
      key: ['order_id', 'line:integer'],
      columns: { name: 'text', sku: 'text' },
    }),
    eraseBySearch({ table: 'order_returns', owner: 'order', key: ['order_id', 'id'], columns: { note: 'whole' } }),
    eraseBySearch({ table: 'recipient_outcomes', owner: 'parcel', key: ['parcel_id'], columns: { phone: 'whole' } }),
  ],
})
