import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Money, Nullable, named, oneOf, Text, Timestamp } from '../../http/schema.ts'
import { Items, Order } from '../orders.model.ts'

/** `awaited`: the goods are with the customer still. Only what was received is back. */
export const returnStatuses = ['awaited', 'received', 'cancelled'] as const

const Place = T.Integer({ minimum: 0, maximum: 10_000, description: "the line's place in the order's items, from 0" })
const Lines = (description: string) =>
  T.Array(exact({ item: Place, quantity: T.Integer({ minimum: 1, maximum: 1e9 }) }), { minItems: 1, maxItems: 200, description })
const Restock = T.Boolean({ description: 'whether it can be sold again, which it can unless said; what cannot is only written down' })

export const NewExchange = named(
  'NewExchange',
  exact(
    {
      items: Items,
      credit: T.Optional(
        T.Number({
          minimum: 0,
          maximum: 1e12,
          description:
            'what counts towards the new order, delivery too: what was asked for the goods that come back, unless said; at most what their order came to, less what counted for it before',
        }),
      ),
      atTheDoor: T.Optional(
        T.Boolean({
          default: true,
          description:
            'of goods that are awaited: whether the courier of the new order brings them back; only some carriers do (`exchanges`). Else the customer sends them',
        }),
      ),
    },
    { description: 'what is sent instead: a new order for the same customer and address, confirmed, with a parcel of its own' },
  ),
)
export type NewExchange = Static<typeof NewExchange>

export const NewReturn = named(
  'NewOrderReturn',
  exact({
    storeId: T.Optional(Id),
    orderId: Id,
    items: T.Optional(Lines('all that is still with the customer, unless said')),
    received: T.Optional(
      T.Boolean({
        default: true,
        description: 'false: the goods are with the customer still. They are awaited, and nobody else can return them',
      }),
    ),
    restock: T.Optional(Restock),
    note: T.Optional(Text(2000)),
    exchange: T.Optional(NewExchange),
  }),
)
export type NewReturn = Static<typeof NewReturn>

export const Receipt = named(
  'OrderReturnReceipt',
  exact({
    items: T.Optional(Lines('all that was awaited, unless said; what did not come is with the customer still, and awaited no more')),
    restock: T.Optional(Restock),
    note: T.Optional(Text(2000)),
  }),
)
export type Receipt = Static<typeof Receipt>

const kept = {
  id: Id,
  status: oneOf(returnStatuses),
  items: T.Array(T.Object({ item: Place, quantity: T.Integer() })),
  restocked: T.Boolean(),
  operationId: Nullable(Id, { description: "the inventory's operation; null where nothing went back into stock" }),
  exchangeOrderId: Nullable(Id, { description: 'the order that is sent instead' }),
  note: T.String(),
  createdAt: Timestamp,
  receivedAt: Nullable(Timestamp),
}
export const KeptReturn = T.Object(kept)
export type KeptReturn = Static<typeof KeptReturn>

export const Exchange = named(
  'Exchange',
  T.Object({
    order: Order,
    credit: Money,
    left: T.Number({ minimum: 0, description: 'what the new order does not use up of the credit: to be given back by hand' }),
  }),
)
export type Exchange = Static<typeof Exchange>

export const OrderReturn = named('OrderReturn', T.Object({ ...kept, order: Order, exchange: Nullable(Exchange) }))
export type OrderReturn = Static<typeof OrderReturn>
