import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, named } from '../../http/schema.ts'
import { Order, OrderChange } from './orders.model.ts'

export const OrderChanges = named(
  'OrderChanges',
  exact({
    storeId: T.Optional(Id),
    orders: T.Array(exact({ id: Id, ...OrderChange.properties }), { minItems: 1, maxItems: 100 }),
  }),
)
export type OrderChanges = Static<typeof OrderChanges>

export const RowError = T.Object({ code: T.String(), message: T.String() })

/** What came of each, in the order of the request: the order as it is now, or why it was left as it was. */
export const OrderRowResult = named('OrderRowResult', T.Object({ id: Id, order: T.Optional(Order), error: T.Optional(RowError) }))
export type OrderRowResult = Static<typeof OrderRowResult>
