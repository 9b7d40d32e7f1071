import { MONEY_MAX } from '../../http/schema.ts'
import { smallestUnitOf } from '../../lib/money/currency.ts'
import { type Decimal, decimal, decimalText } from '../../lib/money/decimal.ts'
import type { ExternalPricing } from '../../orders/pricing/external-pricing.ts'
import type { ExternalItem } from '../shops/connectors.model.ts'
import type { OrderCells, OrderColumn } from './columns.ts'
import { orderImportErrors } from './order-import.errors.ts'

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
  if (goods > decimal(MONEY_MAX)) throw orderImportErrors.goodsTooExpensive({ moneyMax: MONEY_MAX }, { field: ['price'] })
  if (computed < 0n) throw orderImportErrors.discountTooHigh({ field: ['discount'] })
  if (prices && total !== null && discount !== null && total !== computed)
    throw orderImportErrors.totalDiffers({ total: decimalText(total), computed: decimalText(computed) }, { field: ['total'] })
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
    if (price === undefined) throw orderImportErrors.pricesIncomplete({ field: ['price'] })
    if (items.length > 1) throw orderImportErrors.priceAmbiguous({ field: ['price'] })
    return readAs('price', price)
  })
}

/** Returns the unit price that a total implies. A remainder that cannot be divided evenly counts as delivery. */
function unitPriceOf(items: readonly ExternalItem[], total: Decimal, otherAmounts: Decimal, currency: string): Decimal {
  const [only, another] = items
  if (!only || another) throw orderImportErrors.totalAmbiguous({ field: ['total'] })
  const goods = total - otherAmounts
  if (goods < 0n) throw orderImportErrors.totalBelowDelivery({ field: ['total'] })
  const smallestUnit = smallestUnitOf(currency)
  return (goods / BigInt(only.quantity) / smallestUnit) * smallestUnit
}
