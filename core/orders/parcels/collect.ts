import { type Decimal, decimal, decimalText, ONE } from '../../lib/money/decimal.ts'
import type { LineRow, OrderRow } from '../orders.queries.ts'
import { type Divided, leftOf, type Part, pick, type Quantities } from '../split/divided.ts'
import { dueOf } from './parcel-of.ts'

/** What lines come to by the prices that the order was taken at. */
export const worthOf = (lines: readonly LineRow[]): Decimal =>
  lines.reduce((sum, { unitPrice, quantity }) => sum + decimal(unitPrice) * BigInt(quantity), 0n)

/** What these items of an order come to: their prices, less their share of its discount in whole units, as couriers carry them. */
function shareOf({ subtotal, discount }: OrderRow, items: readonly LineRow[]): Decimal {
  const [price, whole] = [worthOf(items), decimal(subtotal)]
  if (whole === 0n) return 0n
  return price - ((decimal(discount) * price) / whole / ONE) * ONE
}

interface Place {
  /** The order's first part: it collects delivery. */
  readonly isFirst: boolean
  /** After it nothing is left to send: it collects all that is left. */
  readonly isLast: boolean
  /** What no other part collects. */
  readonly left: Decimal
  /** What was asked for instead of what its items come to. */
  readonly asked: Decimal | null
}

/** What a part's parcel collects. What all of an order's parts collect comes to what the order has left to collect. */
export function collectedBy(order: OrderRow, items: readonly LineRow[], { isFirst, isLast, left, asked }: Place): Decimal {
  if (isLast) return left
  const own = asked ?? shareOf(order, items) + (isFirst ? decimal(order.delivery) : 0n)
  return own < left ? own : left
}

/** What is left to collect beside what these parts do, and what was given up. */
export function leftToCollect(order: OrderRow, parts: readonly Part[]): Decimal {
  const left = dueOf(order) - parts.reduce((sum, { parcel, codAmount }) => sum + decimal(parcel?.codAmount ?? codAmount ?? 0), 0n)
  return left > 0n ? left : 0n
}

/** What a new part of these quantities collects. */
export function newAmount({ order, lines, parts }: Divided, quantities: Quantities, asked: Decimal | null): Decimal {
  const isLast = leftOf({ lines, parts: [...parts, { lines: quantities }] }).length === 0
  return collectedBy(order, pick(lines, quantities), {
    isFirst: !parts.some(({ parcel }) => parcel),
    isLast,
    left: leftToCollect(order, parts),
    asked,
  })
}

/** The same of those that no carrier has, by what the order comes to now: by the part's id. */
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
