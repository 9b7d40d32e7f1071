import { type Static, Type as T } from '@sinclair/typebox'
import { Id, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'
import { Order } from './orders.model.ts'
import { OrderReturn } from './returns.model.ts'
import { orderStatuses } from './statuses.ts'

const Count = T.Integer({ minimum: 0 })
export const RecipientRecord = named(
  'RecipientRecord',
  T.Object(
    { delivered: Count, returned: Count, refused: Count },
    { description: 'how many parcels this phone number took, sent back after that, or refused, over the whole platform; counts alone' },
  ),
)
export type RecipientRecord = Static<typeof RecipientRecord>

const { order: _, ...returned } = OrderReturn.properties

export const OrderDetails = named(
  'OrderDetails',
  T.Object({
    ...Order.properties,
    history: T.Array(
      T.Object({
        fromStatus: Nullable(oneOf(orderStatuses), { description: 'null where it was taken' }),
        toStatus: oneOf(orderStatuses),
        reason: T.String(),
        by: T.Object({
          kind: oneOf(['person', 'key', 'system']),
          id: Nullable(Id, { description: 'of the person or the API key; null where nobody asked for it' }),
          name: Nullable(T.String(), { description: 'as the person or the key is called now; null where it is gone' }),
        }),
        at: Timestamp,
      }),
      { description: 'its statuses, the first one first; the hundred newest of them' },
    ),
    returns: T.Array(T.Object(returned), { description: 'what its customer sent back, line by line' }),
    recipient: RecipientRecord,
  }),
)
export type OrderDetails = Static<typeof OrderDetails>
