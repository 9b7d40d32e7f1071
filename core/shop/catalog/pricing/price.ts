import { MONEY_MAX } from '../../../http/schema.ts'
import { decimalsOf } from '../../../lib/money/currency.ts'
import { type Decimal, decimal } from '../../../lib/money/decimal.ts'
import { stateCodesOf } from '../../../platform/geo/catalogue/state-codes.ts'
import type { StoreSettings } from '../../stores/stores.model.ts'
import { catalogErrors } from '../catalog.errors.ts'
import { type DeliveryKind, deliveryKindOf, type Shipping } from '../products.parts.model.ts'
import { buildPricedLines, type RequestedItem, type RetainedLines, type Sellables } from './priced-lines.ts'
import type { PricedLine } from './pricing.model.ts'
import { assertConditionsMet, discountOf, type PriceDestination, type PromoOffer, subtotalOf } from './promotion.ts'

/** Input of {@link priceOrder}: everything that the price of an order depends on. */
export interface PricingInput {
  /** Currency of the store. Amounts have as many decimals as it has. */
  readonly currency: string
  readonly items: readonly RequestedItem[]
  /** Products that the items name and that their bundles contain. A product that is absent is not on sale. */
  readonly products: Sellables
  readonly destination: PriceDestination
  /** Delivery prices of the store. */
  readonly delivery: StoreSettings['deliveryPrices']
  readonly offer: PromoOffer | null
  /** True where the order already has the offer. If its conditions are no longer met, it then gives no discount instead of an error. */
  readonly isPromised?: boolean
  /** Lines that an existing order keeps although their products are no longer on sale. */
  readonly kept?: RetainedLines
  /** Delivery price that a member of the store set by hand; null to compute it. */
  readonly deliveryByHand?: Decimal | null
}

/** Price of an order and of its lines. `total` is `subtotal + delivery - discount`. */
export interface OrderPrice {
  readonly lines: readonly PricedLine[]
  readonly subtotal: Decimal
  readonly delivery: Decimal
  readonly discount: Decimal
  readonly total: Decimal
}

/**
 * Computes the price of an order from the catalogue, the store's delivery prices and an offer. Exact; percentages are rounded half away
 * from zero to the currency's decimals. Throws `product_unavailable`, `invalid_promo`, `invalid_request`.
 */
export function priceOrder({
  currency,
  items,
  products,
  destination,
  delivery: prices,
  offer,
  isPromised = false,
  kept,
  deliveryByHand = null,
}: PricingInput): OrderPrice {
  const lines = buildPricedLines(products, items, currency, kept)
  const subtotal = subtotalOf(lines)
  const shippings = lines.map(({ productId }) => products.get(productId)?.shipping ?? null)
  const delivery = deliveryByHand ?? deliveryPrice({ prices, currency }, destination, shippings)
  if (subtotal + delivery > decimal(MONEY_MAX)) throw catalogErrors.orderTooExpensive({ moneyMax: MONEY_MAX }, { field: ['items'] })
  const bill = { lines, products, subtotal, delivery, destination, currency }
  if (offer && !isPromised) assertConditionsMet(offer, bill)
  const discount = offer ? discountOf(offer, bill) : 0n
  return { lines, subtotal, delivery, discount, total: subtotal + delivery - discount }
}

const isKnown = (value: number | undefined): value is number => value !== undefined

/** Returns the price of the first state that has one for this kind of delivery, or else the general one. Undefined where there is none. */
const priceOf = (prices: Shipping | null | undefined, states: readonly string[], kind: DeliveryKind): number | undefined =>
  states.map((state) => prices?.byState?.[state]?.[kind]).find(isKnown) ?? prices?.[kind]

/**
 * Computes the delivery price of a whole order: the highest among its products. A product's own price comes before the store's, and this
 * kind of delivery before the other kind. Without any price, delivery is free.
 * `prices` are the store's. `shippings` has an entry for each product, null where it has no price of its own.
 */
export function deliveryPrice(
  { prices: store, currency }: { prices: StoreSettings['deliveryPrices']; currency: string },
  { deliveryType = 'home', ...located }: PriceDestination,
  shippings: readonly (Shipping | null)[],
): Decimal {
  const kind = deliveryKindOf(deliveryType)
  const states = stateCodesOf(located)
  const general = priceOf(store, states, kind)
  const otherKind: DeliveryKind = kind === 'home' ? 'pickup' : 'home'
  const instead = (own: Shipping | null) => general ?? priceOf(own, states, otherKind) ?? priceOf(store, states, otherKind) ?? 0
  const own = shippings.map((prices) => priceOf(prices, states, kind) ?? instead(prices))
  return roundDeliveryPrice(own.length > 0 ? Math.max(...own) : instead(null), currency)
}

/** Rounds a delivery price to the decimals of the currency, since stored prices may have more. */
const roundDeliveryPrice = (value: number, currency: string): Decimal => decimal(value.toFixed(decimalsOf(currency)))

/**
 * Explains that the store has no price for this delivery, and names the price used instead. Returns null where it has one, or where the
 * store has no delivery prices at all.
 */
export function explainMissingPrice(
  prices: StoreSettings['deliveryPrices'],
  { deliveryType = 'home', ...located }: PriceDestination,
): string | null {
  const { byState = {}, ...general } = prices ?? {}
  if (Object.keys(byState).length === 0 && Object.keys(general).length === 0) return null
  const [states, kind] = [stateCodesOf(located), deliveryKindOf(deliveryType)]
  if (isKnown(priceOf(prices, states, kind))) return null
  const other = kind === 'home' ? 'pickup' : 'home'
  const fallback = isKnown(priceOf(prices, states, other)) ? `the ${other} price applies` : 'it costs nothing'
  return `The store has no ${kind} price for this state. Where the products have none either, ${fallback}. Set settings.deliveryPrices.`
}
