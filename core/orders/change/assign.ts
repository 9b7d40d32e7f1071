import { type Sql, type Tx, transaction } from '../../data/sql.ts'
import { mapConcurrent } from '../../lib/async/map-concurrent.ts'
import { type FieldPath, notFound } from '../../lib/errors/domain-error.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import { hasMemberRight, lockMemberRight } from '../../shop/stores/access.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { orderErrors } from '../orders.errors.ts'
import type { Order } from '../orders.model.ts'
import { lockOrder, updateOrder } from '../orders.queries.ts'
import { presentOrder } from '../present.ts'
import type { Assignment, Assignments } from './assign.model.ts'
import type { OrderRowResult } from './batch-update.model.ts'
import { assertUniqueIds, toOrderRowResult } from './batch-update.ts'
import { emitOrderUpdated } from './emit-updated.ts'

const AT_ONCE = 4

/** Assigns an order to a member of the store, or unassigns it. Throws `not_found` or `unknown_person`. */
export function assignOrder(sql: Sql, store: Store, { orderId, userId }: Pick<Assignment, 'orderId' | 'userId'>): Promise<Order> {
  return transaction(sql, async (tx) => (await assignOrderInTransaction(tx, store, orderId, userId, ['userId'])).order)
}

/** Assigns many orders round robin, each in its own transaction. Throws `unknown_person` before any change; later errors are per order. */
export async function assignOrders(sql: Sql, store: Store, { orderIds, userIds }: Assignments): Promise<OrderRowResult[]> {
  assertUniqueIds(orderIds, (at) => ['orderIds', at])
  await assertAssignees(sql, store, userIds, ['userIds'])
  const assignments = orderIds.map((id, at) => ({ id, userId: userIds[at % userIds.length] ?? null }))
  return mapConcurrent(assignments, AT_ONCE, ({ id, userId }) =>
    toOrderRowResult(
      id,
      transaction(sql, async (tx) => (await assignOrderInTransaction(tx, store, id, userId, ['userIds'])).order),
    ),
  )
}

/** Throws `unknown_person` for the first user who may not confirm orders of the store. */
export async function assertAssignees(sql: Sql, store: Store, userIds: readonly string[], field: FieldPath): Promise<void> {
  for (const [at, userId] of userIds.entries())
    if (!(await hasMemberRight(sql, store.id, userId, AGENT))) throw unknownPersonError([...field, at])
}

const AGENT = ['agent', 'orders:write'] as const

function unknownPersonError(field: FieldPath) {
  const issues = [{ field, message: 'Not a member of the store who may confirm orders.' }]
  return orderErrors.assigneeUnknown({
    issues,
  })
}

/**
 * Assigns an order in the caller's transaction. Locks the membership first, so that a concurrent removal of the member waits and then
 * unassigns this order too. Throws `not_found` or `unknown_person`.
 */
export async function assignOrderInTransaction(
  tx: Tx,
  store: Store,
  orderId: string,
  userId: string | null,
  field: FieldPath,
): Promise<{ readonly order: Order; readonly isChanged: boolean }> {
  if (userId !== null && !(await lockMemberRight(tx, store.id, userId, AGENT))) throw unknownPersonError(field)
  const order = await lockOrder(tx, { storeId: store.id, id: orderId })
  if (!order) throw notFound('The order')
  if (order.assignedTo === userId) return { order: presentOrder(order), isChanged: false }
  await updateOrder(tx, order, { assignedTo: userId })
  await recordAudit(tx, { storeId: store.id }, { what: 'order.assigned', thing: orderId, before: order, after: { assignedTo: userId } })
  const shown = { ...presentOrder(order), assignedTo: userId, version: order.revision + 1, updatedAt: new Date().toISOString() }
  await emitOrderUpdated(tx, store, shown)
  return { order: shown, isChanged: true }
}
