import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Nullable, named, stated } from '../../http/schema.ts'

const Agent = Nullable(Id, { description: 'a member of the store who may confirm orders; null for nobody' })

export const Assignment = named('OrderAssignment', exact({ storeId: T.Optional(Id), orderId: Id, userId: Agent }))
export type Assignment = Static<typeof Assignment>

export const Assignments = named(
  'OrderAssignments',
  exact({
    storeId: T.Optional(Id),
    orderIds: stated(T.Array(Id, { minItems: 1, maxItems: 500 }), { uniqueItems: true }),
    userIds: T.Array(Id, { maxItems: 100, description: "each is given the next order in turn; of none, the orders are nobody's" }),
  }),
)
export type Assignments = Static<typeof Assignments>
