import { invalidValue } from '../../http/errors/errors.ts'
import { MONEY_MAX } from '../../http/schema.ts'
import { type Decimal, decimal, decimalText } from '../../lib/money/decimal.ts'
import { subtotalOf } from '../../shop/catalog/pricing/promotion.ts'
import type { Priced } from './price.ts'

/**
 * What was agreed upon with the customer where the order was made: a shop that is connected signed for it, so the catalogue's prices do not
 * count. Decimals.
 */
export interface Signed {
  /** Of each line, as it was asked for. */
  readonly unitPrices: readonly string[]
  readonly delivery: string
  /** What the customer was told to pay. What it is less than goods and delivery is a discount; what it is more counts as delivery. */
  readonly total: string
}

/** The lines that the catalogue knows, at the prices that were signed for. */
export function asSigned(priced: Priced, signed: Signed): Priced {
  const lines = priced.lines.map((line, at) => ({ ...line, unitPrice: signedPrice(signed.unitPrices[at] ?? line.unitPrice) }))
  return { lines, offer: null, discountByHand: 0n, ...amountsSigned(subtotalOf(lines), signed) }
}

function amountsSigned(subtotal: Decimal, signed: Signed): Record<'subtotal' | 'delivery' | 'discount' | 'total', Decimal> {
  const [asked, total] = [decimal(signed.delivery), decimal(signed.total)]
  const rest = subtotal + asked - total
  const delivery = rest < 0n ? asked - rest : asked
  if (subtotal + delivery > decimal(MONEY_MAX)) throw invalidValue('/body/items', `The order comes to more than ${MONEY_MAX}.`)
  return { subtotal, delivery, discount: rest > 0n ? rest : 0n, total }
}

/** A signed unit price in the form that is kept. */
const signedPrice = (price: string): string => decimalText(decimal(price))
