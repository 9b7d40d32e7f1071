import type { Queryable } from '../../../data/sql.ts'
import type { Decimal } from '../../../lib/money/decimal.ts'
import { locatedIn } from '../../../platform/geo/catalogue/state-codes.ts'
import type { Store } from '../../stores/stores.model.ts'
import type { AskedItem } from '../pricing/goods.ts'
import { price } from '../pricing/price.ts'
import { assertMet, discountBy, type Whither } from '../pricing/promotion.ts'
import { sellablesFor } from '../pricing/sellables.ts'
import { offerOf } from './promos.ts'

interface PromoQuery extends Pick<Whither, 'stateCode' | 'deliveryType'> {
  readonly code: string
  readonly subtotal: Decimal
  readonly items?: readonly AskedItem[]
}

/** Computes the discount of a promotion code now. Throws `invalid_promo`, and `product_unavailable` for items that are not on sale. */
export async function judgePromo(
  sql: Queryable,
  store: Store,
  { code, subtotal, items, stateCode, deliveryType }: PromoQuery,
): Promise<Decimal> {
  const destination: Whither = {
    ...(stateCode !== undefined && locatedIn(store.countryCode, stateCode)),
    ...(deliveryType !== undefined && { deliveryType }),
  }
  const offer = await offerOf(sql, store.id, code)
  if (items) {
    const products = await sellablesFor(sql, store.id, items)
    return price({ currency: store.currencyCode, items, products, destination, delivery: store.settings.deliveryPrices, offer }).discount
  }
  // Conditions on products and categories are not checked, because the request names no items.
  const bill = { lines: [], products: new Map(), subtotal, delivery: 0n, destination, currency: store.currencyCode }
  const plain = { ...offer, productIds: [], categoryIds: [] }
  assertMet(plain, bill)
  return discountBy(plain, bill)
}
