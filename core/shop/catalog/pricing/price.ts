import { invalid } from '../../../http/errors.ts'
import { MONEY_MAX } from '../../../http/schema.ts'
import { type Decimal, decimal } from '../../../lib/decimal.ts'
import type { StoreSettings } from '../../stores/stores.model.ts'
import { type DeliveryKind, type DeliveryType, deliveryKind, type Shipping } from '../products.parts.model.ts'
import { type AskedItem, type Kept, linesOf, type Sellables } from './goods.ts'
import type { PricedLine } from './pricing.model.ts'
import { assertMet, discountBy, type Offer, subtotalOf, type Whither } from './promotion.ts'

/** All that a price depends on. */
export interface ToPrice {
  readonly items: readonly AskedItem[]
  /** Those that the items name, and those that their bundles bring along. What is not here is not on sale. */
  readonly products: Sellables
  readonly destination: Whither
  /** What the store takes for delivery. */
  readonly delivery: StoreSettings['deliveryPrices']
  readonly offer: Offer | null
  /** Whether the offer was given before: then it is no error where its conditions are not met any more, and gives nothing. */
  readonly isPromised?: boolean
  /** Lines that an order has already of what is on sale no more. */
  readonly kept?: Kept
  /** What the store's people said that delivery costs; null where it is priced. */
  readonly deliveryByHand?: Decimal | null
}

export interface Price {
  readonly lines: readonly PricedLine[]
  readonly subtotal: Decimal
  readonly delivery: Decimal
  readonly discount: Decimal
  readonly total: Decimal
}

/**
 * What an order comes to: from the catalogue, the store's prices and a promotion, and from nothing else. Exact, rounded half away from zero
 * to two decimals where a percentage is. Throws `product_unavailable`, `invalid_promo`, `invalid_request`.
 */
export function price({
  items,
  products,
  destination,
  delivery: prices,
  offer,
  isPromised = false,
  kept,
  deliveryByHand = null,
}: ToPrice): Price {
  const lines = linesOf(products, items, kept)
  const subtotal = subtotalOf(lines)
  const shippings = lines.map(({ productId }) => products.get(productId)?.shipping ?? null)
  const delivery = deliveryByHand ?? deliveryPrice(prices, destination, shippings)
  if (subtotal + delivery > decimal(MONEY_MAX)) throw invalid('/body/items', `The order comes to more than ${MONEY_MAX}.`)
  const bill = { lines, products, subtotal, delivery, destination }
  if (offer && !isPromised) assertMet(offer, bill)
  const discount = offer ? discountBy(offer, bill) : 0n
  return { lines, subtotal, delivery, discount, total: subtotal + delivery - discount }
}

const isKnown = (value: number | undefined): value is number => value !== undefined

const priceOf = (prices: Shipping | null | undefined, stateCode: string, kind: DeliveryKind) =>
  prices?.byState?.[stateCode]?.[kind] ?? prices?.[kind]

/**
 * What the whole order costs to bring: the most that one of its products does, each by its own prices, else by the store's, else nothing.
 * `shippings`: of each product in it; null where one has none of its own.
 */
export function deliveryPrice(
  store: StoreSettings['deliveryPrices'],
  { stateCode = '', deliveryType = 'home' }: { stateCode?: string; deliveryType?: DeliveryType },
  shippings: readonly (Shipping | null)[],
): Decimal {
  const kind = deliveryKind(deliveryType)
  const general = priceOf(store, stateCode, kind) ?? 0
  const prices = shippings.map((own) => priceOf(own, stateCode, kind)).map((own) => (isKnown(own) ? own : general))
  return cents(prices.length > 0 ? Math.max(...prices) : general)
}

/** Prices of delivery may have been kept with more decimals. */
const cents = (value: number): Decimal => decimal(value.toFixed(2))
