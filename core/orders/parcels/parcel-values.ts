import type { Tx } from '../../data/sql.ts'
import { type Decimal, decimal, decimalText } from '../../lib/money/decimal.ts'
import { listOrderLines, type OrderRow } from '../orders.queries.ts'

const TEXT_MAX = 1000

/** Amount left to collect: the total less payments, at least zero. */
export function amountDueOf({ total, paid }: Pick<OrderRow, 'total' | 'paid'>): Decimal {
  const due = decimal(total) - decimal(paid)
  return due > 0n ? due : 0n
}

/** Values that a parcel copies from its order: recipient, destination, amounts, contents and notes. */
export const parcelValuesOf = async (tx: Tx, order: OrderRow) =>
  parcelValuesOfLines(order, await listOrderLines(tx, order.storeId, order.id))

/** Values that a parcel copies from its order, for lines that were read already. */
export function parcelValuesOfLines(order: OrderRow, lines: readonly { name: string; quantity: number }[]) {
  return {
    recipient: { name: order.customerName, phone: order.customerPhone, phoneAlt: order.customerPhoneAlt },
    destination: order.destination,
    codAmount: decimalText(amountDueOf(order)),
    declaredValue: order.subtotal,
    takesBack: order.takesBack,
    orderVersion: order.version,
    contents: cut(lines.map(({ name, quantity }) => `${name} x${quantity}`).join(', ')),
    notes: cut(order.note),
  }
}

const cut = (text: string) => text.slice(0, TEXT_MAX).toWellFormed()
