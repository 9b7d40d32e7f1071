import type { Queryable } from '../../../data/sql.ts'
import type { Decimal } from '../../../lib/money/decimal.ts'
import { addressInState, assertKnownState } from '../../../platform/geo/catalogue/state-codes.ts'
import type { Store } from '../../stores/stores.model.ts'
import { priceOrder } from '../pricing/price.ts'
import type { RequestedItem } from '../pricing/priced-lines.ts'
import { assertConditionsMet, discountOf, type PriceDestination } from '../pricing/promotion.ts'
import { findSellables } from '../pricing/sellables.ts'
import { findOffer } from './promos.ts'

interface PromoQuery extends Pick<PriceDestination, 'stateCode' | 'deliveryType'> {
  readonly code: string
  readonly subtotal: Decimal
  readonly items?: readonly RequestedItem[]
}

/**
 * Computes the discount of a promotion code now. Throws `invalid_promo`, `product_unavailable` for items that are not on
 * sale, and `invalid_request` for an unknown state.
 */
export async function computePromoDiscount(
  sql: Queryable,
  store: Store,
  { code, subtotal, items, stateCode, deliveryType }: PromoQuery,
): Promise<Decimal> {
  if (stateCode !== undefined) await assertKnownState(sql, store.countryCode, stateCode, ['stateCode'])
  const destination: PriceDestination = {
    ...(stateCode !== undefined && addressInState(store.countryCode, stateCode)),
    ...(deliveryType !== undefined && { deliveryType }),
  }
  const offer = await findOffer(sql, store.projectId, code)
  if (items) {
    const products = await findSellables(sql, store.projectId, items)
    return priceOrder({ currency: store.currencyCode, items, products, destination, delivery: store.settings.deliveryPrices, offer })
      .discount
  }
  // Conditions on products and categories are not checked, because the request names no items.
  const bill = { lines: [], products: new Map(), subtotal, delivery: 0n, destination, currency: store.currencyCode }
  const plain = { ...offer, productIds: [], categoryIds: [] }
  assertConditionsMet(plain, bill)
  return discountOf(plain, bill)
}
