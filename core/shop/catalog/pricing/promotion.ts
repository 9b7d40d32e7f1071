import type { DomainError } from '../../../lib/errors/domain-error.ts'
import { decimalsOf } from '../../../lib/money/currency.ts'
import { type Decimal, decimal, multiply, ONE } from '../../../lib/money/decimal.ts'
import { type LocatedAddress, stateCodesOf } from '../../../platform/geo/catalogue/state-codes.ts'
import { catalogErrors } from '../catalog.errors.ts'
import type { DeliveryType } from '../products.parts.model.ts'
import type { Sellables } from './priced-lines.ts'
import type { PricedLine } from './pricing.model.ts'
import { roundToCurrency } from './round-to-currency.ts'

/** Kinds of discount that a promotion can give. */
export const promoKinds = ['percent', 'fixed', 'free_shipping'] as const

/** Terms of a promotion or credit that an order has. Stored with the order, so that later changes of the promotion do not touch it. */
export interface PromoOffer {
  readonly promoId?: string
  /** Code as the promotion spells it, however the customer typed it. */
  readonly code?: string
  /** `credit` is an amount off everything, delivery included. No promotion gives it; an exchange uses it for returned goods. */
  readonly kind: (typeof promoKinds)[number] | 'credit'
  /** Percent for `percent`, otherwise an amount in the store's currency. */
  readonly value: number
  readonly minimumSubtotal: number
  /** Highest discount; null for no limit. */
  readonly maximumDiscount?: number | null
  /** Ids of the products that it applies to; empty, together with `categoryIds`, for all. */
  readonly productIds?: readonly string[]
  readonly categoryIds?: readonly string[]
  readonly stateCodes?: readonly string[]
  readonly deliveryTypes?: readonly DeliveryType[]
  /** True where only a customer without earlier orders may use it. */
  readonly firstOrderOnly?: boolean
}

/** Destination of an order, as far as it is known yet. */
export interface PriceDestination extends LocatedAddress {
  readonly deliveryType?: DeliveryType
}

type SoldLine = Pick<PricedLine, 'productId' | 'unitPrice' | 'quantity'>

/** Amounts and lines of an order, before the discount. */
export interface Bill {
  readonly lines: readonly SoldLine[]
  readonly products: Sellables
  readonly subtotal: Decimal
  readonly delivery: Decimal
  readonly destination: PriceDestination
  readonly currency: string
}

const isExcluded = <V>(allowed: readonly V[] = [], value: V | undefined) =>
  allowed.length > 0 && value !== undefined && !allowed.includes(value)

/** Returns the error of an offer that gives no discount to this order; null where it gives one. */
function unmetCondition(offer: PromoOffer, bill: Bill): DomainError | null {
  const { deliveryType, ...located } = bill.destination
  const states = stateCodesOf(located)
  if (bill.subtotal < decimal(offer.minimumSubtotal)) return catalogErrors.subtotalTooLow({ least: offer.minimumSubtotal })
  if (states.length > 0 && states.every((state) => isExcluded(offer.stateCodes, state))) return catalogErrors.promotionOfOtherState()
  if (isExcluded(offer.deliveryTypes, deliveryType)) return catalogErrors.promotionOfOtherDelivery()
  if (eligibleSubtotal(offer, bill) === null) return catalogErrors.promotionOfOtherProducts()
  return null
}

/** Returns the subtotal of the lines that the offer applies to; null where it applies to none. */
function eligibleSubtotal({ productIds = [], categoryIds = [] }: PromoOffer, { lines, products, subtotal }: Bill): Decimal | null {
  if (productIds.length === 0 && categoryIds.length === 0) return subtotal
  const isMeant = ({ productId }: SoldLine) =>
    productIds.includes(productId) || categoryIds.includes(products.get(productId)?.categoryId ?? '')
  const meant = lines.filter(isMeant)
  return meant.length === 0 ? null : subtotalOf(meant)
}

/** Adds up the lines. */
export const subtotalOf = (lines: readonly Pick<PricedLine, 'unitPrice' | 'quantity'>[]): Decimal =>
  lines.reduce((sum, { unitPrice, quantity }) => sum + decimal(unitPrice) * BigInt(quantity), 0n)

function smallerOf(one: Decimal, other: Decimal): Decimal {
  if (one < other) return one
  return other
}

/** Computes the discount of an offer: at most the amount it applies to, and zero where its conditions are not met. */
export function discountOf(offer: PromoOffer, bill: Bill): Decimal {
  if (unmetCondition(offer, bill) !== null) return 0n
  const most = offer.maximumDiscount === null || offer.maximumDiscount === undefined ? null : decimal(offer.maximumDiscount)
  const off = uncappedDiscount(offer, bill)
  return roundToCurrency(most === null ? off : smallerOf(off, most), bill.currency)
}

function uncappedDiscount(offer: PromoOffer, bill: Bill): Decimal {
  if (offer.kind === 'free_shipping') return bill.delivery
  const value = decimal(offer.value)
  if (offer.kind === 'credit') return smallerOf(value, bill.subtotal + bill.delivery)
  const of = eligibleSubtotal(offer, bill) ?? 0n
  return smallerOf(offer.kind === 'percent' ? multiply(multiply(of, value), ONE / 100n, decimalsOf(bill.currency)) : value, of)
}

/** Throws `invalid_promo` with the reason where the order does not meet the offer's conditions. */
export function assertConditionsMet(offer: PromoOffer, bill: Bill): void {
  const error = unmetCondition(offer, bill)
  if (error !== null) throw error
}
