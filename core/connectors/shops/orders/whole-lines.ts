import { smallestUnitOf } from '../../../lib/money/currency.ts'
import { type Decimal, decimal, decimalText } from '../../../lib/money/decimal.ts'
import type { ExternalItem } from '../channels.model.ts'

/**
 * Lines whose prices the currency has. A shop may share a price out over pieces (33.333333333333336 three times): such a line is two, whose
 * prices differ by the least amount and add up to what the line costs (2 × 33.33 and 33.34).
 */
export function wholeLines(items: readonly ExternalItem[], currency: string): ExternalItem[] {
  const least = smallestUnitOf(currency)
  return items.flatMap(({ lineTotal, ...item }) => {
    const [price, pieces] = [decimal(item.unitPrice), BigInt(item.quantity)]
    if (lineTotal === undefined && price % least === 0n) return [item]
    const total = roundTo(lineTotal === undefined ? price * pieces : decimal(lineTotal), least)
    const base = (total / pieces / least) * least
    const dearer = Number((total - base * pieces) / least)
    return [
      { ...item, quantity: item.quantity - dearer, unitPrice: decimalText(base) },
      { ...item, quantity: dearer, unitPrice: decimalText(base + least) },
    ].filter(({ quantity }) => quantity > 0)
  })
}

/** An amount of a shop as the currency has it, rounded half up. */
export const inCurrency = (amount: string, currency: string): string => decimalText(roundTo(decimal(amount), smallestUnitOf(currency)))

const roundTo = (amount: Decimal, least: Decimal): Decimal => ((amount + least / 2n) / least) * least
