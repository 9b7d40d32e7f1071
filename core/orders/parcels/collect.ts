import { type Decimal, decimal, decimalText, ONE } from '../../lib/money/decimal.ts'
import type { LineRow, OrderRow } from '../orders.queries.ts'
import { type Divided, leftOf, type Part, pick, type Quantities } from '../split/divided.ts'
import { dueOf } from './parcel-of.ts'

/** Total of lines at the prices of the order. */
export const worthOf = (lines: readonly LineRow[]): Decimal =>
  lines.reduce((sum, { unitPrice, quantity }) => sum + decimal(unitPrice) * BigInt(quantity), 0n)

/** Total of lines less their share of the order's discount. The share is rounded down to whole currency units. */
function shareOf({ subtotal, discount }: OrderRow, items: readonly LineRow[]): Decimal {
  const [price, whole] = [worthOf(items), decimal(subtotal)]
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
export function collectedBy(order: OrderRow, items: readonly LineRow[], { isFirst, isLast, left, asked }: PartPosition): Decimal {
  if (isLast) return left
  const own = asked ?? shareOf(order, items) + (isFirst ? decimal(order.delivery) : 0n)
  return own < left ? own : left
}

/** Amount left to collect beyond these parts; at least zero. A part without a parcel, given up, counts with its own amount. */
export function leftToCollect(order: OrderRow, parts: readonly Part[]): Decimal {
  const left = dueOf(order) - parts.reduce((sum, { parcel, codAmount }) => sum + decimal(parcel?.codAmount ?? codAmount ?? 0), 0n)
  return left > 0n ? left : 0n
}

/** Amount that a new part with these quantities collects. */
export function newAmount({ order, lines, parts }: Divided, quantities: Quantities, asked: Decimal | null): Decimal {
  const isLast = leftOf({ lines, parts: [...parts, { lines: quantities }] }).length === 0
  return collectedBy(order, pick(lines, quantities), {
    isFirst: !parts.some(({ parcel }) => parcel),
    isLast,
    left: leftToCollect(order, parts),
    asked,
  })
}

/** Recalculates the amounts of parts that no carrier has, from the current total of the order. Returns them by part id. */
export function restated(divided: Divided): ReadonlyMap<string, string> {
  const { order, lines, parts } = divided
  const waiting = parts.filter(({ parcel }) => parcel?.status === 'created')
  const first = parts.find(({ parcel }) => parcel)
  const isAll = leftOf(divided).length === 0
  let left = leftToCollect(
    order,
    parts.filter((part) => !waiting.includes(part)),
  )
  const amounts = new Map<string, string>()
  for (const part of waiting) {
    const amount = collectedBy(order, pick(lines, part.lines), {
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
