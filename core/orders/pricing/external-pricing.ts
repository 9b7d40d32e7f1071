import { MONEY_MAX } from '../../http/schema.ts'
import { type Decimal, decimal, decimalText } from '../../lib/money/decimal.ts'
import { subtotalOf } from '../../shop/catalog/pricing/promotion.ts'
import { orderErrors } from '../orders.errors.ts'
import type { PricedOrder } from './price.ts'

/** Prices agreed with the customer in a connected shop; they replace the catalogue's prices. Decimal strings. */
export interface ExternalPricing {
  /** Unit price of each line, in the sequence of the requested items. */
  readonly unitPrices: readonly string[]
  readonly delivery: string
  /**
   * Amount quoted to the customer. If it is less than goods and delivery, the rest is a discount; if more, the excess counts as delivery.
   */
  readonly total: string
}

/** Replaces the catalogue's prices of a priced order, and removes its promotion and manual discount. */
export function applyExternalPricing(priced: PricedOrder, signed: ExternalPricing): PricedOrder {
  const lines = priced.lines.map((line, at) => ({ ...line, unitPrice: normalizePrice(signed.unitPrices[at] ?? line.unitPrice) }))
  return { lines, offer: null, discountByHand: 0n, ...externalAmounts(subtotalOf(lines), signed) }
}

function externalAmounts(subtotal: Decimal, signed: ExternalPricing): Record<'subtotal' | 'delivery' | 'discount' | 'total', Decimal> {
  const [asked, total] = [decimal(signed.delivery), decimal(signed.total)]
  const rest = subtotal + asked - total
  const delivery = rest < 0n ? asked - rest : asked
  if (subtotal + delivery > decimal(MONEY_MAX)) throw orderErrors.totalTooHigh({ moneyMax: MONEY_MAX }, { field: ['items'] })
  return { subtotal, delivery, discount: rest > 0n ? rest : 0n, total }
}

/** Normalizes a unit price to the stored decimal form. */
const normalizePrice = (price: string): string => decimalText(decimal(price))
