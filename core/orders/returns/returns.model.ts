import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Money, Nullable, named, oneOf, Text, Timestamp } from '../../http/schema.ts'
import { NewItems, Order } from '../orders.model.ts'

/** Statuses of a return. With `awaited`, the customer still has the goods; only `received` goods are back. */
const returnStatuses = ['awaited', 'received', 'cancelled'] as const

const Place = T.Integer({ minimum: 0, maximum: 10_000, description: "index of the line in the order's items, from 0" })
const Lines = (description: string) =>
  T.Array(exact({ item: Place, quantity: T.Integer({ minimum: 1, maximum: 1e9 }) }), { minItems: 1, maxItems: 200, description })
const Restock = T.Boolean({
  description: 'whether the goods go back into stock, as they do by default; otherwise the return is only recorded',
})

/** Request for an exchange of returned goods. */
export const NewExchange = named(
  'NewExchange',
  exact(
    {
      items: NewItems,
      credit: T.Optional(
        T.Number({
          minimum: 0,
          maximum: 1e12,
          description:
            'credit towards the new order, delivery included; by default the price of the returned goods, at most the value of their order less earlier credits',
        }),
      ),
      atTheDoor: T.Optional(
        T.Boolean({
          default: true,
          description:
            'for awaited goods: whether the courier of the new order collects them, which only some carriers do (`exchanges`); otherwise the customer sends them',
        }),
      ),
    },
    { description: 'replacement goods: a new confirmed order for the same customer and address, with a parcel of its own' },
  ),
)
/** Type of {@link NewExchange}. */
export type NewExchange = Static<typeof NewExchange>

/** Request that returns goods of an order. */
export const NewReturn = named(
  'NewOrderReturn',
  exact({
    storeId: T.Optional(Id),
    orderId: Id,
    items: T.Optional(Lines('by default all goods that the customer still has')),
    received: T.Optional(
      T.Boolean({
        default: true,
        description: 'false: the customer still has the goods. They are awaited, and no other return can include them',
      }),
    ),
    restock: T.Optional(Restock),
    note: T.Optional(Text(2000)),
    exchange: T.Optional(NewExchange),
  }),
)
/** Type of {@link NewReturn}. */
export type NewReturn = Static<typeof NewReturn>

/** Request that receives an awaited return. */
export const ReturnReceipt = named(
  'OrderReturnReceipt',
  exact({
    items: T.Optional(Lines('by default all awaited goods; those that did not arrive stay with the customer and are no longer awaited')),
    restock: T.Optional(Restock),
    note: T.Optional(Text(2000)),
  }),
)
/** Type of {@link ReturnReceipt}. */
export type ReturnReceipt = Static<typeof ReturnReceipt>

const storedFields = {
  id: Id,
  status: oneOf(returnStatuses),
  items: T.Array(T.Object({ item: Place, quantity: T.Integer() })),
  restocked: T.Boolean(),
  operationId: Nullable(Id, { description: "the inventory's operation; null when nothing went back into stock" }),
  exchangeOrderId: Nullable(Id, { description: 'the order with the replacement goods' }),
  note: T.String(),
  createdAt: Timestamp,
  receivedAt: Nullable(Timestamp),
}
/** Return of an order as it is stored. */
export const StoredReturn = T.Object(storedFields)
/** Type of {@link StoredReturn}. */
export type StoredReturn = Static<typeof StoredReturn>

/** Exchange order with its credit. */
export const Exchange = named(
  'Exchange',
  T.Object({
    order: Order,
    credit: Money,
    left: T.Number({ minimum: 0, description: 'credit that the new order does not use; refund it manually' }),
  }),
)
/** Type of {@link Exchange}. */
export type Exchange = Static<typeof Exchange>

/** Return with its order and its exchange, as the API shows it. */
export const OrderReturn = named('OrderReturn', T.Object({ ...storedFields, order: Order, exchange: Nullable(Exchange) }))
/** Type of {@link OrderReturn}. */
export type OrderReturn = Static<typeof OrderReturn>
