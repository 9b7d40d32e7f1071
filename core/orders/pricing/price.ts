import type { Queryable } from '../../data/sql.ts'
import { DomainError } from '../../lib/errors/domain-error.ts'
import { type Decimal, decimal } from '../../lib/money/decimal.ts'
import { deliveryPrice, type OrderPrice, priceOrder as priceOf } from '../../shop/catalog/pricing/price.ts'
import { buildPricedLines, type Sellables } from '../../shop/catalog/pricing/priced-lines.ts'
import { assertConditionsMet, discountOf } from '../../shop/catalog/pricing/promotion.ts'
import { findSellables } from '../../shop/catalog/pricing/sellables.ts'
import { findProducts } from '../../shop/catalog/products.queries.ts'
import { findOffer, type Offer } from '../../shop/catalog/promos/promos.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { Destination, NewItem } from '../orders.model.ts'
import type { LineRow, OrderRow } from '../orders.queries.ts'

/** Manual adjustments of an order, instead of calculated amounts. */
export interface ManualAdjustments {
  /** Manual delivery price; null when the store's prices apply. */
  readonly delivery: Decimal | null
  /** Manual discount in addition to what a promotion takes off. */
  readonly discount: Decimal
}
const NO_ADJUSTMENTS: ManualAdjustments = { delivery: null, discount: 0n }

interface PromotionTerms {
  /** Terms of the promotion; null without one. */
  readonly offer: Offer | null
  /** Part of `discount` that was set manually. */
  readonly discountByHand: Decimal
}
/** Priced order: lines, amounts, and the terms of its promotion. */
export type PricedOrder = OrderPrice & PromotionTerms
/** Amounts of an order whose lines stay as they are. */
export type PricedAmounts = Omit<PricedOrder, 'lines'> & { readonly lines?: never }

interface PricingRequest {
  readonly destination: Pick<Destination, 'country' | 'stateCode' | 'currentStateCode' | 'cityCode' | 'deliveryType'>
  /** A code to validate now, or the terms that a promotion promised earlier. */
  readonly promo: string | Offer | null
  readonly byHand?: ManualAdjustments
}

/** Request to price an order with the given items. */
export interface GoodsPricingRequest extends PricingRequest {
  readonly items: readonly NewItem[]
  /** Products of the items, where the caller has read them. */
  readonly products?: Sellables
  /** Lines of the order before the change; they stay available at their quantities. */
  readonly lines?: readonly LineRow[]
}

/** Prices an order from the catalogue, and ignores amounts from the client. Throws `product_unavailable` or `invalid_promo`. */
export async function priceOrder(sql: Queryable, store: Store, asked: GoodsPricingRequest): Promise<PricedOrder> {
  const { items, destination, promo, lines = [], byHand = NO_ADJUSTMENTS } = asked
  const isCode = typeof promo === 'string'
  const [products, offer] = await Promise.all([
    asked.products ?? findSellables(sql, store.projectId, items),
    isCode ? findOffer(sql, store.projectId, promo) : promo,
  ])
  const { currencyCode: currency, settings } = store
  const kept = grandfatheredLines(products, items, lines, currency)
  const said = { isPromised: !isCode, deliveryByHand: byHand.delivery }
  const whole = priceOf({ currency, items, products, destination, delivery: settings.deliveryPrices, offer, kept, ...said })
  return { ...whole, offer, ...applyManualDiscount(whole, byHand) }
}

/** Lines of the order for requested items that are no longer on sale, at their stored prices. Excludes bundles. */
function grandfatheredLines(
  products: Sellables,
  items: readonly NewItem[],
  lines: readonly LineRow[],
  currency: string,
): ReadonlyMap<NewItem, LineRow> {
  const left = lines.filter(({ offerId }) => offerId === null).map((line) => ({ line, pieces: line.quantity }))
  return new Map(
    items.flatMap((item) => {
      if (item.offerId || lines.length === 0 || isOnSale(products, item, currency)) return []
      const isOf = ({ productId, variantId }: LineRow) => productId === item.productId && variantId === (item.variantId ?? null)
      const own = left.find(({ line, pieces }) => isOf(line) && pieces >= item.quantity)
      if (!own) return []
      own.pieces -= item.quantity
      return [[item, { ...own.line, quantity: item.quantity }] as const]
    }),
  )
}

function isOnSale(products: Sellables, item: NewItem, currency: string): boolean {
  try {
    return buildPricedLines(products, [item], currency).length > 0
  } catch (error) {
    if (error instanceof DomainError && error.code === 'product_unavailable') return false
    throw error
  }
}

/** Applies the manual discount, limited to the subtotal and to the amount left to pay. */
function applyManualDiscount({ subtotal, delivery, discount }: Omit<OrderPrice, 'lines'>, byHand: ManualAdjustments) {
  const discountByHand = [byHand.discount, subtotal, subtotal + delivery - discount].reduce((one, other) => (one < other ? one : other))
  const whole = discount + discountByHand
  return { discountByHand, discount: whole, total: subtotal + delivery - whole }
}

interface UnchangedGoodsRequest extends PricingRequest {
  /** True when the promotion is unchanged, so that its discount on the goods stays. */
  readonly isSamePromo: boolean
  /** True when delivery must be priced again. */
  readonly isDeliveryRepriced: boolean
}

/** Prices an order at another address or with another promotion, while its lines stay as they are. Throws `invalid_promo`. */
export async function priceUnchangedGoods(
  sql: Queryable,
  store: Store,
  order: Pick<OrderRow, 'items' | 'subtotal' | 'delivery' | 'discount' | 'discountByHand'>,
  { destination, promo, isSamePromo, isDeliveryRepriced, byHand = NO_ADJUSTMENTS }: UnchangedGoodsRequest,
): Promise<PricedAmounts> {
  const { items: lines } = order
  const ids = [...new Set(lines.map(({ productId }) => productId))]
  const [found, offer] = await Promise.all([
    findProducts(sql, store.projectId, ids),
    typeof promo === 'string' ? findOffer(sql, store.projectId, promo) : promo,
  ])
  const products = new Map(found.map((product) => [product.id, product]))
  const shippings = lines.map(({ productId }) => products.get(productId)?.shipping ?? null)
  const { currencyCode: currency, settings } = store
  const prices = { prices: settings.deliveryPrices, currency }
  const priced = isDeliveryRepriced ? deliveryPrice(prices, destination, shippings) : decimal(order.delivery)
  const [subtotal, delivery] = [decimal(order.subtotal), byHand.delivery ?? priced]
  const bill = { lines, products, subtotal, delivery, destination, currency }
  if (offer && !isSamePromo) assertConditionsMet(offer, bill)
  const isOfDelivery = offer?.kind === 'free_shipping' || offer?.kind === 'credit'
  const stands = isSamePromo && !isOfDelivery
  const discount = stands ? decimal(order.discount) - decimal(order.discountByHand) : offer ? discountOf(offer, bill) : 0n
  return { offer, subtotal, delivery, ...applyManualDiscount({ subtotal, delivery, discount, total: 0n }, byHand) }
}
