import { type Static, Type as T } from '@sinclair/typebox'
import { parcelStatuses } from '../../../plugins/carrier/model.ts'
import { Id, Money, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'
import { Trace } from '../../integrations/egress/traces.model.ts'
import { AuditActor } from '../../platform/audit/audit.model.ts'
import { Order } from '../orders.model.ts'
import { KeptReturn } from '../returns/returns.model.ts'
import { orderStatuses } from '../statuses.ts'

const Count = T.Integer({ minimum: 0 })
export const RecipientRecord = named(
  'RecipientRecord',
  T.Object(
    { delivered: Count, returned: Count, refused: Count },
    { description: 'how many parcels this phone number took, sent back after that, or refused, over the whole platform; counts alone' },
  ),
)
export type RecipientRecord = Static<typeof RecipientRecord>

const Place = T.Integer({ minimum: 0, description: "the line's place in the order's items, from 0" })
const Quantity = (description: string) => T.Integer({ minimum: 0, description })

export const OrderParcel = named(
  'OrderParcel',
  T.Object({
    id: Id,
    status: oneOf(parcelStatuses),
    carrier: Nullable(T.String({ description: 'slug of the carrier' })),
    trackingId: Nullable(T.String()),
    codAmount: Money,
    lastError: Nullable(T.Object({ code: T.String(), message: T.String() }), {
      description: 'why its last sending came to nothing, or waits',
    }),
    trace: T.Optional(
      T.Array(Trace, {
        description:
          'the last ten things asked of its carrier and said by it, newest first, secrets taken out; for those who may send orders',
      }),
    ),
    items: T.Array(T.Object({ item: Place, quantity: Quantity('that travels in it'), returned: Quantity('of it, by hand') })),
  }),
)
export type OrderParcel = Static<typeof OrderParcel>

export const Fulfilment = named(
  'Fulfilment',
  T.Object(
    {
      item: Place,
      quantity: Quantity('ordered'),
      left: Quantity('in no parcel yet'),
      sent: Quantity('in a parcel that has not come to its end'),
      delivered: Quantity('with the customer'),
      returned: Quantity('back, by its parcel or by hand'),
      lost: Quantity('by its carrier'),
      givenUp: Quantity('not to be sent any more'),
    },
    { description: 'what became of one of its items: the parts come to the quantity' },
  ),
)
export type Fulfilment = Static<typeof Fulfilment>

export const OrderDetails = named(
  'OrderDetails',
  T.Object({
    ...Order.properties,
    lastError: Nullable(T.Object({ code: T.String(), message: T.String() }), { description: 'of its newest parcel' }),
    history: T.Array(
      T.Object({
        fromStatus: Nullable(oneOf(orderStatuses), { description: 'null where it was taken' }),
        toStatus: oneOf(orderStatuses),
        reason: T.String(),
        by: AuditActor,
        at: Timestamp,
      }),
      {
        description:
          'its statuses, the first one first; the hundred newest of them. From a status to the same one: what was left to send was cancelled',
      },
    ),
    parcels: T.Array(OrderParcel, { description: 'those that were not cancelled, oldest first: one, unless it is sent in parts' }),
    fulfilment: T.Array(Fulfilment, { description: 'item by item' }),
    returns: T.Array(KeptReturn, { description: 'what its customer sent back or shall send back, line by line' }),
    recipient: RecipientRecord,
  }),
)
export type OrderDetails = Static<typeof OrderDetails>
