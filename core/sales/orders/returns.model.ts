import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Nullable, named, Text, Timestamp } from '../../http/schema.ts'
import { Order } from './orders.model.ts'

const Place = T.Integer({ minimum: 0, maximum: 10_000, description: "the line's place in the order's items, from 0" })

export const NewReturn = named(
  'NewOrderReturn',
  exact({
    storeId: T.Optional(Id),
    orderId: Id,
    items: T.Optional(
      T.Array(exact({ item: Place, quantity: T.Integer({ minimum: 1, maximum: 1e9 }) }), {
        minItems: 1,
        maxItems: 200,
        description: 'all that is still with the customer, unless said',
      }),
    ),
    restock: T.Optional(T.Boolean({ default: true, description: 'whether it can be sold again; what cannot is only written down' })),
    note: T.Optional(Text(2000)),
  }),
)
export type NewReturn = Static<typeof NewReturn>

export const OrderReturn = named(
  'OrderReturn',
  T.Object({
    id: Id,
    items: T.Array(T.Object({ item: Place, quantity: T.Integer() })),
    restocked: T.Boolean(),
    operationId: Nullable(Id, { description: "the inventory's operation; null where nothing went back into stock" }),
    note: T.String(),
    createdAt: Timestamp,
    order: Order,
  }),
)
export type OrderReturn = Static<typeof OrderReturn>
