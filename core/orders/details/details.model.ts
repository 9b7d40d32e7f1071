import { type Static, Type as T } from '@sinclair/typebox'
import { parcelStatuses } from '../../../plugins/carrier/model.ts'
import { Id, Money, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'
import { Trace } from '../../integrations/egress/traces.model.ts'
import { AuditActor } from '../../platform/audit/audit.model.ts'
import { DeliveryRisk } from '../customers/risk.model.ts'
import { ListedOrder } from '../progress/progress.model.ts'
import { StoredReturn } from '../returns/returns.model.ts'
import { orderStatuses } from '../statuses.ts'
import { PastCalls } from './calls.model.ts'

const Count = T.Integer({ minimum: 0 })
/** Delivery record of a phone number. */
export const RecipientRecord = named(
  'RecipientRecord',
  T.Object(
    { delivered: Count, returned: Count, refused: Count, risk: DeliveryRisk },
    { description: 'number of parcels that this phone number accepted, returned after delivery, or refused, on the whole platform' },
  ),
)
/** Type of {@link RecipientRecord}. */
export type RecipientRecord = Static<typeof RecipientRecord>

const Place = T.Integer({ minimum: 0, description: "index of the line in the order's items, from 0" })
const Quantity = (description: string) => T.Integer({ minimum: 0, description })

/** Parcel of an order, with its items and its last error. */
export const OrderParcel = named(
  'OrderParcel',
  T.Object({
    id: Id,
    status: oneOf(parcelStatuses),
    carrier: Nullable(T.String({ description: 'slug of the carrier' })),
    trackingId: Nullable(T.String()),
    codAmount: Money,
    lastError: Nullable(T.Object({ code: T.String(), message: T.String() }), {
      description: 'reason why its last sending failed or waits',
    }),
    trace: T.Optional(
      T.Array(Trace, {
        description:
          'the last ten requests to its carrier and their responses, newest first, without secrets; only for callers that may send orders',
      }),
    ),
    items: T.Array(T.Object({ item: Place, quantity: Quantity('in the parcel'), returned: Quantity('returned manually') })),
  }),
)
/** Type of {@link OrderParcel}. */
export type OrderParcel = Static<typeof OrderParcel>

/** Quantities of one item of an order, by state. */
export const ItemFulfilment = named(
  'Fulfilment',
  T.Object(
    {
      item: Place,
      quantity: Quantity('ordered'),
      left: Quantity('in no parcel yet'),
      sent: Quantity('in a parcel under way'),
      delivered: Quantity('with the customer'),
      returned: Quantity('returned, with its parcel or manually'),
      lost: Quantity('lost by its carrier'),
      givenUp: Quantity('that will not be sent'),
    },
    { description: 'quantities of one of its items by state; they add up to `quantity`' },
  ),
)
/** Type of {@link ItemFulfilment}. */
export type ItemFulfilment = Static<typeof ItemFulfilment>

/** Order with its history, parcels, returns and the record of its recipient. */
export const OrderDetails = named(
  'OrderDetails',
  T.Object({
    ...ListedOrder.properties,
    lastError: Nullable(T.Object({ code: T.String(), message: T.String() }), { description: 'last error of its newest parcel' }),
    history: T.Array(
      T.Object({
        fromStatus: Nullable(oneOf(orderStatuses), { description: 'null for its creation' }),
        toStatus: oneOf(orderStatuses),
        reason: T.String(),
        by: AuditActor,
        at: Timestamp,
      }),
      {
        description:
          'status changes, oldest first, at most the newest 100. An entry from a status to itself: the unsent rest was cancelled',
      },
    ),
    parcels: T.Array(OrderParcel, { description: 'parcels that were not cancelled, oldest first; one, or several for a divided order' }),
    fulfilment: T.Array(ItemFulfilment, { description: 'quantities of each item by state' }),
    pastCalls: PastCalls,
    returns: T.Array(StoredReturn, { description: 'goods that its customer has returned or will return' }),
    recipient: RecipientRecord,
  }),
)
/** Type of {@link OrderDetails}. */
export type OrderDetails = Static<typeof OrderDetails>
