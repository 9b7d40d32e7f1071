import { smallestUnitOf } from '../../../lib/money/currency.ts'
import { type Decimal, decimal, decimalText } from '../../../lib/money/decimal.ts'
import type { ExternalItem } from '../connectors.model.ts'

/**
 * Splits lines so that their prices fit the currency. A shop may divide a price over pieces (33.333333333333336 three times). Such a line
 * becomes two, whose prices differ by the smallest unit and add up (2 × 33.33 and 33.34).
 */
export function splitUnevenLines(items: readonly ExternalItem[], currency: string): ExternalItem[] {
  const smallestUnit = smallestUnitOf(currency)
  return items.flatMap(({ lineTotal, ...item }) => {
    const [price, pieces] = [decimal(item.unitPrice), BigInt(item.quantity)]
    if (lineTotal === undefined && price % smallestUnit === 0n) return [item]
    const total = roundTo(lineTotal === undefined ? price * pieces : decimal(lineTotal), smallestUnit)
    const base = (total / pieces / smallestUnit) * smallestUnit
    const piecesAbove = Number((total - base * pieces) / smallestUnit)
    return [
      { ...item, quantity: item.quantity - piecesAbove, unitPrice: decimalText(base) },
      { ...item, quantity: piecesAbove, unitPrice: decimalText(base + smallestUnit) },
    ].filter(({ quantity }) => quantity > 0)
  })
}

/** Rounds an amount of a shop to the currency's decimals, half up. */
export const roundToCurrency = (amount: string, currency: string): string => decimalText(roundTo(decimal(amount), smallestUnitOf(currency)))

const roundTo = (amount: Decimal, smallestUnit: Decimal): Decimal => ((amount + smallestUnit / 2n) / smallestUnit) * smallestUnit
