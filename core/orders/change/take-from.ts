import type { Tx } from '../../data/sql.ts'
import { emitWebhook } from '../../platform/webhooks/emit.ts'
import { hasMemberRight } from '../../shop/stores/access.ts'
import type { RestrictedMember } from '../../shop/stores/members/members.ts'
import { lockWaitingOf, updateOrders } from '../orders.queries.ts'
import { present } from '../present.ts'

/** Whether somebody of whom rights were taken may still confirm a store's orders. */
export const mayConfirm = (tx: Tx, { storeId, userId }: RestrictedMember) => hasMemberRight(tx, storeId, userId, ['agent', 'orders:write'])

/** Orders that somebody was to confirm, and may not any more, are nobody's: others are offered them at once. */
export async function takeFrom(tx: Tx, who: RestrictedMember): Promise<void> {
  if (await mayConfirm(tx, who)) return
  const orders = await lockWaitingOf(tx, who.storeId, who.userId)
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
      storeId: who.storeId,
      type: 'order.updated' as const,
      data: { order: { ...present(order), assignedTo: null, updatedAt } },
      orderKey: order.id,
    })),
  )
}
