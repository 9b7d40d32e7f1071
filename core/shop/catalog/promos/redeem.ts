import type { Tx } from '../../../data/sql.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import type { Offer } from '../pricing/promotion.ts'
import {
  countUse,
  deleteRedemptions,
  insertAgain,
  insertRedemption,
  type Redemption,
  updateRedemption,
  usesOfPhone,
} from './promos.queries.ts'

type Use = Pick<Redemption, 'storeId' | 'orderId' | 'phone'>

/**
 * Uses a promotion for an order, in the order's transaction: uses are counted one after the other, so that no more than its limit succeed.
 * Asked for last, since others wait from then on. Throws `invalid_promo` where it is used up, by all or by this phone number.
 */
export async function redeem(tx: Tx, offer: Offer | null, use: Use): Promise<void> {
  const promoId = offer?.promoId
  if (promoId === undefined) return
  const limits = await countUse(tx, promoId)
  if (!limits) throw new ApiError('invalid_promo', 'This promotion is used up.')
  const most = limits.firstOrderOnly ? 1 : limits.perCustomerLimit
  if (most !== null && (await usesOfPhone(tx, promoId, use.phone)) >= most)
    throw new ApiError('invalid_promo', 'This phone number has used the promotion as often as it may.')
  await insertRedemption(tx, { ...use, promoId })
}

/** An order's customer has another phone number: what the order used counts for that. */
export async function redeemedBy(tx: Tx, { storeId, orderId, phone }: Use): Promise<void> {
  await updateRedemption(tx, storeId, orderId, phone)
}

/** Orders were given up before they were sent: what they used others may. */
export async function giveBackUses(tx: Tx, storeId: string, orderIds: readonly string[]): Promise<void> {
  if (orderIds.length > 0) await deleteRedemptions(tx, storeId, orderIds)
}

/** A person takes such an order up again: what it was promised stands, and counts, even beyond the limit. */
export async function redeemAgain(tx: Tx, offer: Offer | null, use: Use): Promise<void> {
  if (offer?.promoId !== undefined) await insertAgain(tx, { ...use, promoId: offer.promoId })
}
