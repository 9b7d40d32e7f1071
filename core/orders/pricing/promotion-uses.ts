import { projectIdOf } from '../../data/project-ids.ts'
import type { Tx } from '../../data/sql.ts'
import { changeRedemptionPhone, releaseRedemptions, restoreRedemption } from '../../shop/catalog/promos/redeem-promo.ts'
import { orderErrors } from '../orders.errors.ts'
import { hasOtherOrder, type OrderRow } from '../orders.queries.ts'
import { type OrderStatus, openStatuses } from '../statuses.ts'
import { countOtherUses, lockUsedPromotion } from './promotion-uses.queries.ts'

interface StatusMove {
  readonly order: OrderRow
  readonly to: OrderStatus
}

/**
 * Throws `invalid_promo` when the phone number has another order, apart from `besides`. The count of uses catches two concurrent first
 * orders.
 */
export async function assertFirstOrder(tx: Tx, storeId: string, phone: string, besides = '') {
  if (await hasOtherOrder(tx, storeId, phone, besides)) throw orderErrors.onlyFirstOrder()
}

/** Transfers the promotion use of an order to another phone number. Throws `invalid_promo` when that number may not use the promotion. */
export async function transferPromotionUse(tx: Tx, { storeId, id, offer }: Pick<OrderRow, 'storeId' | 'id' | 'offer'>, phone: string) {
  if (offer?.firstOrderOnly) await assertFirstOrder(tx, storeId, phone, id)
  const projectId = projectIdOf(storeId)
  const used = await lockUsedPromotion(tx, { projectId, id })
  if (!used) return
  const most = used.firstOrderOnly ? 1 : used.perCustomerLimit
  if (most !== null && (await countOtherUses(tx, { projectId, promoId: used.promoId, phone }, id)) >= most)
    throw orderErrors.promotionLimitOfPhone()
  await changeRedemptionPhone(tx, { projectId, orderId: id, phone })
}

/** Frees the promotion uses of orders that are cancelled before they are sent, and redeems them again for orders that are reopened. */
export async function updatePromotionUses(tx: Tx, moves: readonly StatusMove[]) {
  const promised = moves.filter(({ order }) => order.offer?.promoId !== undefined)
  const given = promised.filter(({ order, to }) => to === 'cancelled' && openStatuses.includes(order.status))
  for (const [storeId, ofStore] of Map.groupBy(given, ({ order }) => order.storeId))
    await releaseRedemptions(
      tx,
      projectIdOf(storeId),
      ofStore.map(({ order }) => order.id),
    )
  for (const { order, to } of promised)
    if (order.status === 'cancelled' && to !== 'cancelled')
      await restoreRedemption(tx, order.offer, { projectId: projectIdOf(order.storeId), orderId: order.id, phone: order.customerPhone })
}
