import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Nullable, named, stated } from '../../http/schema.ts'

const Agent = Nullable(Id, { description: 'a member of the store who may confirm orders; null for nobody' })

/** Request that assigns an order to a member of the store. */
export const Assignment = named('OrderAssignment', exact({ storeId: T.Optional(Id), orderId: Id, userId: Agent }))
/** Type of {@link Assignment}. */
export type Assignment = Static<typeof Assignment>

/** Request that assigns many orders to members of the store. */
export const Assignments = named(
  'OrderAssignments',
  exact({
    storeId: T.Optional(Id),
    orderIds: stated(T.Array(Id, { minItems: 1, maxItems: 500 }), { uniqueItems: true }),
    userIds: T.Array(Id, { maxItems: 100, description: 'orders are assigned to them round robin; an empty list unassigns the orders' }),
  }),
)
/** Type of {@link Assignments}. */
export type Assignments = Static<typeof Assignments>
