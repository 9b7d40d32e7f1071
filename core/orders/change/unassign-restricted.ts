import type { Tx } from '../../data/sql.ts'
import { emitWebhook } from '../../platform/webhooks/emit.ts'
import { hasMemberRight } from '../../shop/stores/access.ts'
import type { RestrictedMember } from '../../shop/stores/members/members.ts'
import { lockUnconfirmedAssignedTo, updateOrders } from '../orders.queries.ts'
import { presentOrder } from '../present.ts'

/** Returns true when a member with fewer rights may still confirm orders of the store. */
export const canConfirm = (tx: Tx, { storeId, userId }: RestrictedMember) => hasMemberRight(tx, storeId, userId, ['agent', 'orders:write'])

/** Unassigns the unconfirmed orders of a member that may no longer confirm them, and emits `order.updated` for each. */
export async function unassignRestrictedMember(tx: Tx, who: RestrictedMember): Promise<void> {
  if (await canConfirm(tx, who)) return
  const orders = await lockUnconfirmedAssignedTo(tx, who.storeId, who.userId)
  if (orders.length === 0) return
  await updateOrders(
    tx,
    orders.map(({ storeId, id }) => ({ storeId, id, assignedTo: null })),
  )
  const updatedAt = new Date().toISOString()
  await emitWebhook(
    tx,
    orders.map((order) => ({
      projectId: who.projectId,
      type: 'order.updated' as const,
      data: { order: { ...presentOrder(order), assignedTo: null, version: order.revision + 1, updatedAt } },
      orderKey: order.id,
    })),
  )
}
