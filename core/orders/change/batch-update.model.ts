import { type Static, Type as T } from '@sinclair/typebox'
import { RowError } from '../../http/errors/row-error.model.ts'
import { exact, Id, named } from '../../http/schema.ts'
import { Order, OrderChange } from '../orders.model.ts'

export const OrderChanges = named(
  'OrderChanges',
  exact({
    storeId: T.Optional(Id),
    orders: T.Array(exact({ id: Id, ...OrderChange.properties }), { minItems: 1, maxItems: 100 }),
  }),
)
export type OrderChanges = Static<typeof OrderChanges>

/** What came of one order of many: the order as it is now, or why it was left as it was. */
export const OrderRowResult = T.Union(
  [
    named('ChangedOrderRow', T.Object({ outcome: T.Literal('changed'), id: Id, order: Order })),
    named(
      'RefusedOrderRow',
      T.Object({ outcome: T.Literal('refused'), id: Id, error: RowError }, { description: 'the order was left as it was' }),
    ),
  ],
  { discriminator: { propertyName: 'outcome' } },
)
export type OrderRowResult = Static<typeof OrderRowResult>
