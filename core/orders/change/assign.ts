import { type Sql, type Tx, transaction } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors/errors.ts'
import { mapConcurrent } from '../../lib/async/map-concurrent.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import { hasMemberRight, lockMemberRight } from '../../shop/stores/access.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { Order } from '../orders.model.ts'
import { lockOrder, updateOrder } from '../orders.queries.ts'
import { present } from '../present.ts'
import type { Assignment, Assignments } from './assign.model.ts'
import type { OrderRowResult } from './batch-update.model.ts'
import { assertOnce, rowResult } from './batch-update.ts'
import { tellUpdated } from './tell-updated.ts'

const AT_ONCE = 4

/** Gives an order to one of the store's people, or to nobody. Throws `not_found`, `unknown_person`. */
export function assignOrder(sql: Sql, store: Store, { orderId, userId }: Pick<Assignment, 'orderId' | 'userId'>): Promise<Order> {
  return transaction(sql, async (tx) => {
    return give(tx, store, orderId, userId, '/body/userId')
  })
}

/** The same for many, each for itself; several people are given them in turn. */
export async function assignOrders(sql: Sql, store: Store, { orderIds, userIds }: Assignments): Promise<OrderRowResult[]> {
  assertOnce(orderIds, (at) => `/body/orderIds/${at}`)
  for (const [at, userId] of userIds.entries())
    if (!(await hasMemberRight(sql, store.id, userId, AGENT))) throw unknownPerson(`/body/userIds/${at}`)
  const turns = orderIds.map((id, at) => ({ id, userId: userIds[at % userIds.length] ?? null }))
  return mapConcurrent(turns, AT_ONCE, ({ id, userId }) =>
    rowResult(
      id,
      transaction(sql, (tx) => give(tx, store, id, userId, '/body/userIds')),
    ),
  )
}

const AGENT = ['agent', 'orders:write'] as const

function unknownPerson(path: string) {
  const details = [{ path, message: 'No member of the store who may confirm orders.' }]
  return new ApiError('unknown_person', 'Orders are given to members of the store who may confirm them; see details.', { details })
}

/** Who is taken out of the store meanwhile is given nothing: what he has is taken from him then. */
async function give(tx: Tx, store: Store, orderId: string, userId: string | null, path: string): Promise<Order> {
  if (userId !== null && !(await lockMemberRight(tx, store.id, userId, AGENT))) throw unknownPerson(path)
  const order = await lockOrder(tx, { storeId: store.id, id: orderId })
  if (!order) throw notFound('The order')
  if (order.assignedTo === userId) return present(order)
  await updateOrder(tx, order, { assignedTo: userId })
  await recordAudit(tx, { storeId: store.id }, { what: 'order.assigned', thing: orderId, before: order, after: { assignedTo: userId } })
  const shown = { ...present(order), assignedTo: userId, updatedAt: new Date().toISOString() }
  await tellUpdated(tx, store, shown)
  return shown
}
