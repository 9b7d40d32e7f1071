import { type Static, Type as T } from '@sinclair/typebox'
import { RowError } from '../../http/errors/row-error.model.ts'
import { exact, Id, named } from '../../http/schema.ts'
import { Order, OrderChange } from '../orders.model.ts'

/** Request that changes many orders at once. */
export const OrderChanges = named(
  'OrderChanges',
  exact({
    storeId: T.Optional(Id),
    orders: T.Array(exact({ id: Id, ...OrderChange.properties }), { minItems: 1, maxItems: 100 }),
  }),
)
/** Type of {@link OrderChanges}. */
export type OrderChanges = Static<typeof OrderChanges>

/** Result for one order of a batch: the changed order, or the error that left it unchanged. */
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
/** Type of {@link OrderRowResult}. */
export type OrderRowResult = Static<typeof OrderRowResult>
