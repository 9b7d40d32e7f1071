import { MONEY_MAX } from '../../http/schema.ts'
import { invalidField } from '../../lib/errors/domain-error.ts'
import { smallestUnitOf } from '../../lib/money/currency.ts'
import { type Decimal, decimal, decimalText } from '../../lib/money/decimal.ts'
import type { ExternalPricing } from '../../orders/pricing/external-pricing.ts'
import type { ExternalItem } from '../shops/connectors.model.ts'
import type { OrderCells, OrderColumn } from './columns.ts'

/** Amounts of an imported order. */
export interface OrderAmounts {
  /** Prices of the sheet; null if the catalogue's prices apply. */
  readonly externalPricing: ExternalPricing | null
  /** Amounts of the sheet that adjust the catalogue's prices. */
  readonly manualAmounts: { readonly delivery: Decimal | null; readonly discount: Decimal | null }
}

interface Line {
  readonly items: readonly ExternalItem[]
  readonly price: string | undefined
}
type ReadAmount = (column: OrderColumn, written: string) => Decimal

/**
 * Reads the amounts of an order from its prices, or from the total of its only product. Throws `invalid_request` with the column that is
 * wrong.
 */
export function readOrderAmounts(whole: OrderCells, lines: readonly Line[], currency: string, readAs: ReadAmount): OrderAmounts {
  const read = (column: OrderColumn) => (whole[column] === undefined ? null : readAs(column, whole[column]))
  const [delivery, discount, total] = [read('delivery'), read('discount'), read('total')]
  const prices = pricesOf(lines, readAs)
  if (!prices && total === null) return { externalPricing: null, manualAmounts: { delivery, discount } }
  const items = lines.flatMap((line) => line.items)
  const unitPrices = prices ?? [unitPriceOf(items, total ?? 0n, (delivery ?? 0n) - (discount ?? 0n), currency)]
  const goods = items.reduce((sum, { quantity }, at) => sum + (unitPrices[at] ?? 0n) * BigInt(quantity), 0n)
  const computed = goods + (delivery ?? 0n) - (discount ?? 0n)
  if (goods > decimal(MONEY_MAX)) throw invalidField(['price'], `The goods come to more than ${MONEY_MAX}, the largest amount.`)
  if (computed < 0n) throw invalidField(['discount'], 'It is more than the goods and the delivery cost.')
  if (prices && total !== null && discount !== null && total !== computed)
    throw invalidField(['total'], `It is ${decimalText(total)}, and goods, delivery and discount come to ${decimalText(computed)}.`)
  return {
    externalPricing: {
      unitPrices: unitPrices.map(decimalText),
      delivery: decimalText(delivery ?? 0n),
      total: decimalText(total ?? computed),
    },
    manualAmounts: { delivery: null, discount: null },
  }
}

/** Reads the prices, one for each item; null if no row has one. Throws if only some rows have one. */
function pricesOf(lines: readonly Line[], readAs: ReadAmount): readonly Decimal[] | null {
  if (lines.every(({ price }) => price === undefined)) return null
  return lines.map(({ items, price }) => {
    if (price === undefined)
      throw invalidField(['price'], 'Some rows of this order have a price and others have none. Write a price in every row, or in none.')
    if (items.length > 1) throw invalidField(['price'], 'One price stands beside several products. Give each product a row of its own.')
    return readAs('price', price)
  })
}

/** Returns the unit price that a total implies. A remainder that cannot be divided evenly counts as delivery. */
function unitPriceOf(items: readonly ExternalItem[], total: Decimal, otherAmounts: Decimal, currency: string): Decimal {
  const [only, another] = items
  if (!only || another)
    throw invalidField(['total'], 'One total stands beside several products. Write their prices, or leave the total out.')
  const goods = total - otherAmounts
  if (goods < 0n) throw invalidField(['total'], 'It is less than the delivery.')
  const smallestUnit = smallestUnitOf(currency)
  return (goods / BigInt(only.quantity) / smallestUnit) * smallestUnit
}
