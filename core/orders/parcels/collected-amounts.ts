import { type Decimal, decimal, decimalText, ONE } from '../../lib/money/decimal.ts'
import type { LineRow, OrderRow } from '../orders.queries.ts'
import { type DividedOrder, type OrderPart, pickLines, type Quantities, remainingOf } from '../split/divided-order.ts'
import { amountDueOf } from './parcel-values.ts'

/** Total of lines at the prices of the order. */
export const linesTotal = (lines: readonly LineRow[]): Decimal =>
  lines.reduce((sum, { unitPrice, quantity }) => sum + decimal(unitPrice) * BigInt(quantity), 0n)

/** Total of lines less their share of the order's discount. The share is rounded down to whole currency units. */
function shareOf({ subtotal, discount }: OrderRow, items: readonly LineRow[]): Decimal {
  const [price, whole] = [linesTotal(items), decimal(subtotal)]
  if (whole === 0n) return 0n
  return price - ((decimal(discount) * price) / whole / ONE) * ONE
}

interface PartPosition {
  /** First part of the order; it collects the delivery price. */
  readonly isFirst: boolean
  /** Part after which nothing is left to send; it collects all that remains. */
  readonly isLast: boolean
  /** Amount that no other part collects. */
  readonly left: Decimal
  /** Amount that the user set instead of the calculated one; null when there is none. */
  readonly asked: Decimal | null
}

/** Amount that the parcel of a part collects. The amounts of all parts add up to what the order has left to collect. */
function codAmountOfPart(order: OrderRow, items: readonly LineRow[], { isFirst, isLast, left, asked }: PartPosition): Decimal {
  if (isLast) return left
  const own = asked ?? shareOf(order, items) + (isFirst ? decimal(order.delivery) : 0n)
  return own < left ? own : left
}

/** Amount left to collect beyond these parts; at least zero. A part without a parcel, given up, counts with its own amount. */
export function remainingToCollect(order: OrderRow, parts: readonly OrderPart[]): Decimal {
  const left = amountDueOf(order) - parts.reduce((sum, { parcel, codAmount }) => sum + decimal(parcel?.codAmount ?? codAmount ?? 0), 0n)
  return left > 0n ? left : 0n
}

/** Amount that a new part with these quantities collects. */
export function codAmountOfNewPart({ order, lines, parts }: DividedOrder, quantities: Quantities, asked: Decimal | null): Decimal {
  const isLast = remainingOf({ lines, parts: [...parts, { lines: quantities }] }).length === 0
  return codAmountOfPart(order, pickLines(lines, quantities), {
    isFirst: !parts.some(({ parcel }) => parcel),
    isLast,
    left: remainingToCollect(order, parts),
    asked,
  })
}

/** Recalculates the amounts of parts that no carrier has, from the current total of the order. Returns them by part id. */
export function recalculateCodAmounts(divided: DividedOrder): ReadonlyMap<string, string> {
  const { order, lines, parts } = divided
  const waiting = parts.filter(({ parcel }) => parcel?.status === 'created')
  const first = parts.find(({ parcel }) => parcel)
  const isAll = remainingOf(divided).length === 0
  let left = remainingToCollect(
    order,
    parts.filter((part) => !waiting.includes(part)),
  )
  const amounts = new Map<string, string>()
  for (const part of waiting) {
    const amount = codAmountOfPart(order, pickLines(lines, part.lines), {
      isFirst: part === first,
      isLast: isAll && part === waiting.at(-1),
      left,
      asked: part.codAmount === null ? null : decimal(part.codAmount),
    })
    left -= amount
    amounts.set(part.id, decimalText(amount))
  }
  return amounts
}
