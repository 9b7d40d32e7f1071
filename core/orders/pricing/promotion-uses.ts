import type { Tx } from '../../data/sql.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { changeRedemptionPhone, releaseRedemptions, restoreRedemption } from '../../shop/catalog/promos/redeem-promo.ts'
import { hasOrderOf, type OrderRow } from '../orders.queries.ts'
import { type OrderStatus, open } from '../statuses.ts'
import { lockUsed, usesBesides } from './promotion-uses.queries.ts'

interface Move {
  readonly order: OrderRow
  readonly to: OrderStatus
}

/** Throws `invalid_promo` where the phone number has ordered before, `besides` this order. That two first ones do not both use it is seen to where uses are counted. */
export async function assertFirst(tx: Tx, storeId: string, phone: string, besides = '') {
  if (await hasOrderOf(tx, storeId, phone, besides)) throw new ApiError('invalid_promo', 'This promotion is for a first order.')
}

/**
 * An order's customer has another phone number: what the order uses counts for that. Throws `invalid_promo` where that one may not use its
 * promotion, as if it had ordered with it.
 */
export async function useByAnother(tx: Tx, { storeId, id, offer }: Pick<OrderRow, 'storeId' | 'id' | 'offer'>, phone: string) {
  if (offer?.firstOrderOnly) await assertFirst(tx, storeId, phone, id)
  const used = await lockUsed(tx, { storeId, id })
  if (!used) return
  const most = used.firstOrderOnly ? 1 : used.perCustomerLimit
  if (most !== null && (await usesBesides(tx, used.promoId, phone, id)) >= most) {
    const why = 'This phone number has used the promotion as often as it may. Take the code off with the same change: promoCode null.'
    throw new ApiError('invalid_promo', why)
  }
  await changeRedemptionPhone(tx, { storeId, orderId: id, phone })
}

/** Orders that are cancelled before they were sent give back what they used of promotions; taken up again, they use it again. */
export async function followUses(tx: Tx, moves: readonly Move[]) {
  const promised = moves.filter(({ order }) => order.offer?.promoId !== undefined)
  const given = promised.filter(({ order, to }) => to === 'cancelled' && open.includes(order.status))
  for (const [storeId, ofStore] of Map.groupBy(given, ({ order }) => order.storeId))
    await releaseRedemptions(
      tx,
      storeId,
      ofStore.map(({ order }) => order.id),
    )
  for (const { order, to } of promised)
    if (order.status === 'cancelled' && to !== 'cancelled')
      await restoreRedemption(tx, order.offer, { storeId: order.storeId, orderId: order.id, phone: order.customerPhone })
}
