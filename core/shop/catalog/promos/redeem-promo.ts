import type { Tx } from '../../../data/sql.ts'
import { catalogErrors } from '../catalog.errors.ts'
import type { PromoOffer } from '../pricing/promotion.ts'
import {
  claimPromoUse,
  countUsesOfPhone,
  deleteRedemptions,
  insertRedemption,
  type Redemption,
  reinsertRedemption,
  updateRedemptionPhone,
} from './promos.queries.ts'

type RedemptionOwner = Pick<Redemption, 'projectId' | 'orderId' | 'phone'>

/**
 * Redeems a promotion for an order, in the order's transaction. Call it last: it locks the promotion until the transaction ends. Throws
 * `invalid_promo` where the limit of the promotion or of the phone number is reached.
 */
export async function redeemPromo(tx: Tx, offer: PromoOffer | null, use: RedemptionOwner): Promise<void> {
  const promoId = offer?.promoId
  if (promoId === undefined) return
  const limits = await claimPromoUse(tx, { projectId: use.projectId, promoId })
  if (!limits) throw catalogErrors.promotionUsedUp()
  const most = limits.firstOrderOnly ? 1 : limits.perCustomerLimit
  if (most !== null && (await countUsesOfPhone(tx, { projectId: use.projectId, promoId, phone: use.phone })) >= most)
    throw catalogErrors.phoneLimitReached()
  await insertRedemption(tx, { ...use, promoId })
}

/** Counts the redemption of an order for the customer's new phone number. */
export async function changeRedemptionPhone(tx: Tx, { projectId, orderId, phone }: RedemptionOwner): Promise<void> {
  await updateRedemptionPhone(tx, projectId, orderId, phone)
}

/** Frees the uses of orders that were cancelled before they were sent. */
export async function releaseRedemptions(tx: Tx, projectId: string, orderIds: readonly string[]): Promise<void> {
  if (orderIds.length > 0) await deleteRedemptions(tx, projectId, orderIds)
}

/** Restores the redemption of a cancelled order that a member reopens. It keeps its discount, even beyond the limit. */
export async function restoreRedemption(tx: Tx, offer: PromoOffer | null, use: RedemptionOwner): Promise<void> {
  if (offer?.promoId !== undefined) await reinsertRedemption(tx, { ...use, promoId: offer.promoId })
}
