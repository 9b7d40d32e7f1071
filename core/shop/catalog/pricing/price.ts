import { invalid } from '../../../http/errors/errors.ts'
import { MONEY_MAX } from '../../../http/schema.ts'
import { decimalsOf } from '../../../lib/money/currency.ts'
import { type Decimal, decimal } from '../../../lib/money/decimal.ts'
import { stateCodesOf } from '../../../platform/geo/catalogue/state-codes.ts'
import type { StoreSettings } from '../../stores/stores.model.ts'
import { type DeliveryKind, deliveryKind, type Shipping } from '../products.parts.model.ts'
import { type AskedItem, type Kept, linesOf, type Sellables } from './goods.ts'
import type { PricedLine } from './pricing.model.ts'
import { assertMet, discountBy, type Offer, subtotalOf, type Whither } from './promotion.ts'

/** All that a price depends on. */
export interface ToPrice {
  /** Of the store: as many decimals as it has are reckoned with. */
  readonly currency: string
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
 * to the decimals of the currency where a percentage is. Throws `product_unavailable`, `invalid_promo`, `invalid_request`.
 */
export function price({
  currency,
  items,
  products,
  destination,
  delivery: prices,
  offer,
  isPromised = false,
  kept,
  deliveryByHand = null,
}: ToPrice): Price {
  const lines = linesOf(products, items, currency, kept)
  const subtotal = subtotalOf(lines)
  const shippings = lines.map(({ productId }) => products.get(productId)?.shipping ?? null)
  const delivery = deliveryByHand ?? deliveryPrice({ prices, currency }, destination, shippings)
  if (subtotal + delivery > decimal(MONEY_MAX)) throw invalid('/body/items', `The order comes to more than ${MONEY_MAX}.`)
  const bill = { lines, products, subtotal, delivery, destination, currency }
  if (offer && !isPromised) assertMet(offer, bill)
  const discount = offer ? discountBy(offer, bill) : 0n
  return { lines, subtotal, delivery, discount, total: subtotal + delivery - discount }
}

const isKnown = (value: number | undefined): value is number => value !== undefined

/** The price for the first of the states that one is said for, else the general one. */
const priceOf = (prices: Shipping | null | undefined, states: readonly string[], kind: DeliveryKind): number | undefined =>
  states.map((state) => prices?.byState?.[state]?.[kind]).find(isKnown) ?? prices?.[kind]

/**
 * What the whole order costs to bring: the most that one of its products does, each by its own prices, else by the store's. A kind of
 * delivery for which no price is said costs what the other kind does there; where nothing is said at all, it costs nothing.
 * `prices`: the store's. `shippings`: of each product in it; null where one has none of its own.
 */
export function deliveryPrice(
  { prices: store, currency }: { prices: StoreSettings['deliveryPrices']; currency: string },
  { deliveryType = 'home', ...located }: Whither,
  shippings: readonly (Shipping | null)[],
): Decimal {
  const kind = deliveryKind(deliveryType)
  const states = stateCodesOf(located)
  const general = priceOf(store, states, kind)
  const otherKind: DeliveryKind = kind === 'home' ? 'pickup' : 'home'
  const instead = (own: Shipping | null) => general ?? priceOf(own, states, otherKind) ?? priceOf(store, states, otherKind) ?? 0
  const own = shippings.map((prices) => priceOf(prices, states, kind) ?? instead(prices))
  return whole(own.length > 0 ? Math.max(...own) : instead(null), currency)
}

/** Prices of delivery may have been kept with more decimals. */
const whole = (value: number, currency: string): Decimal => decimal(value.toFixed(decimalsOf(currency)))

/** Why a store's prices do not say what this delivery costs; null where they do, or where the store has none at all. */
export function missingPrice(prices: StoreSettings['deliveryPrices'], { deliveryType = 'home', ...located }: Whither): string | null {
  const { byState = {}, ...general } = prices ?? {}
  if (Object.keys(byState).length === 0 && Object.keys(general).length === 0) return null
  const [states, kind] = [stateCodesOf(located), deliveryKind(deliveryType)]
  if (isKnown(priceOf(prices, states, kind))) return null
  const other = kind === 'home' ? 'pickup' : 'home'
  const taken = isKnown(priceOf(prices, states, other)) ? `the ${other} price is taken` : 'it costs nothing'
  return `The store has no ${kind} price for this state. Where the products have none either, ${taken}. Set settings.deliveryPrices.`
}
