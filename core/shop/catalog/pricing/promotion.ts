import { ApiError } from '../../../http/errors/errors.ts'
import { decimalsOf } from '../../../lib/money/currency.ts'
import { type Decimal, decimal, multiply, ONE } from '../../../lib/money/decimal.ts'
import { type Located, stateCodesOf } from '../../../platform/geo/catalogue/state-codes.ts'
import type { DeliveryType } from '../products.parts.model.ts'
import type { Sellables } from './goods.ts'
import { inMoney } from './in-money.ts'
import type { PricedLine } from './pricing.model.ts'

export const promoKinds = ['percent', 'fixed', 'free_shipping'] as const

/** What a promotion promises to an order that it was given to, and of what; kept with the order. */
export interface Offer {
  readonly promoId?: string
  /** As the promotion writes it, however it was typed. */
  readonly code?: string
  /** `credit`: of the whole, delivery too. No promotion gives that, but goods that are given back do. */
  readonly kind: (typeof promoKinds)[number] | 'credit'
  /** Percent, or an amount. */
  readonly value: number
  readonly minimumSubtotal: number
  /** What it takes off at most. */
  readonly maximumDiscount?: number | null
  /** Of these products or categories alone; empty for all. */
  readonly productIds?: readonly string[]
  readonly categoryIds?: readonly string[]
  readonly stateCodes?: readonly string[]
  readonly deliveryTypes?: readonly DeliveryType[]
  /** For who never ordered before. */
  readonly firstOrderOnly?: boolean
}

/** Where an order goes, as far as that is known yet. */
export interface Whither extends Located {
  readonly deliveryType?: DeliveryType
}

type Sold = Pick<PricedLine, 'productId' | 'unitPrice' | 'quantity'>

export interface Bill {
  readonly lines: readonly Sold[]
  readonly products: Sellables
  readonly subtotal: Decimal
  readonly delivery: Decimal
  readonly destination: Whither
  readonly currency: string
}

const lacks = <V>(allowed: readonly V[] = [], value: V | undefined) => allowed.length > 0 && value !== undefined && !allowed.includes(value)

/** Why an offer gives nothing to this order; null where it does. */
export function unmet(offer: Offer, bill: Bill): string | null {
  const { deliveryType, ...located } = bill.destination
  const states = stateCodesOf(located)
  if (bill.subtotal < decimal(offer.minimumSubtotal)) return `This promotion needs a subtotal of at least ${offer.minimumSubtotal}.`
  if (states.length > 0 && states.every((state) => lacks(offer.stateCodes, state))) return 'This promotion is not for that state.'
  if (lacks(offer.deliveryTypes, deliveryType)) return 'This promotion is not for that kind of delivery.'
  if (eligible(offer, bill) === null) return 'This promotion is for other products.'
  return null
}

/** What of the goods it counts; null where none of them is meant. */
function eligible({ productIds = [], categoryIds = [] }: Offer, { lines, products, subtotal }: Bill): Decimal | null {
  if (productIds.length === 0 && categoryIds.length === 0) return subtotal
  const isMeant = ({ productId }: Sold) => productIds.includes(productId) || categoryIds.includes(products.get(productId)?.categoryId ?? '')
  const meant = lines.filter(isMeant)
  return meant.length === 0 ? null : subtotalOf(meant)
}

export const subtotalOf = (lines: readonly Pick<PricedLine, 'unitPrice' | 'quantity'>[]): Decimal =>
  lines.reduce((sum, { unitPrice, quantity }) => sum + decimal(unitPrice) * BigInt(quantity), 0n)

function least(one: Decimal, other: Decimal): Decimal {
  if (one < other) return one
  return other
}

/** What an offer takes off: never more than what it is taken off of, nothing where its conditions are not met. */
export function discountBy(offer: Offer, bill: Bill): Decimal {
  if (unmet(offer, bill) !== null) return 0n
  const most = offer.maximumDiscount === null || offer.maximumDiscount === undefined ? null : decimal(offer.maximumDiscount)
  const off = wholeDiscount(offer, bill)
  return inMoney(most === null ? off : least(off, most), bill.currency)
}

function wholeDiscount(offer: Offer, bill: Bill): Decimal {
  if (offer.kind === 'free_shipping') return bill.delivery
  const value = decimal(offer.value)
  if (offer.kind === 'credit') return least(value, bill.subtotal + bill.delivery)
  const of = eligible(offer, bill) ?? 0n
  return least(offer.kind === 'percent' ? multiply(multiply(of, value), ONE / 100n, decimalsOf(bill.currency)) : value, of)
}

/** Throws `invalid_promo` with the reason. */
export function assertMet(offer: Offer, bill: Bill): void {
  const why = unmet(offer, bill)
  if (why !== null) throw new ApiError('invalid_promo', why)
}
