import { type Static, Type as T } from '@sinclair/typebox'
import { parcelStatuses } from '../../../plugins/carrier/model.ts'
import { Id, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'
import { Order } from '../orders.model.ts'

/** Newest parcel of an order, as a list shows it. */
const LatestParcel = named(
  'LatestParcel',
  T.Object({
    id: Id,
    status: oneOf(parcelStatuses),
    carrier: Nullable(T.String({ description: 'slug of the carrier' })),
    carrierName: Nullable(T.String({ description: 'name of the carrier, as people know it' })),
    trackingId: Nullable(T.String()),
    printedAt: Nullable(Timestamp, { description: 'time at which its label was last printed' }),
  }),
)

/** Fields that a list and the details of orders add to an order. */
const orderProgressFields = {
  parcel: Nullable(LatestParcel, { description: 'the newest parcel that was not cancelled; a divided order has several' }),
  assignee: Nullable(T.Object({ id: Id, name: Nullable(T.String({ description: 'null when the user has no account any more' })) }), {
    description: 'the agent of `assignedTo`',
  }),
  calls: T.Object(
    {
      count: T.Integer({ minimum: 0 }),
      lastOutcome: Nullable(T.String({ description: 'such as `no_answer`; see the outcomes of confirmation calls' })),
    },
    { description: 'confirmation calls that were made for it' },
  ),
  tags: T.Array(T.String(), { description: 'its tags in their alphabetic order' }),
  comments: T.Integer({ minimum: 0, description: 'number of comments of members on it' }),
}
const OrderProgress = T.Object(orderProgressFields)
/** State of an order's parcel, agent and calls, its tags and its comments. */
export type OrderProgress = Static<typeof OrderProgress>

/** Order of a list, with the state of its parcel, agent and calls, its tags and its comments. */
export const ListedOrder = named('ListedOrder', T.Object({ ...Order.properties, ...orderProgressFields }))
/** Type of {@link ListedOrder}. */
export type ListedOrder = Static<typeof ListedOrder>
