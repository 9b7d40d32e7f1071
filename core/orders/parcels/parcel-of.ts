import type { Tx } from '../../data/sql.ts'
import { type Decimal, decimal, decimalText } from '../../lib/money/decimal.ts'
import { linesOfOrder, type OrderRow } from '../orders.queries.ts'

const TEXT_MAX = 1000

/** What is left to collect. */
export function dueOf({ total, paid }: Pick<OrderRow, 'total' | 'paid'>): Decimal {
  const due = decimal(total) - decimal(paid)
  return due > 0n ? due : 0n
}

/** What a parcel takes over from its order: whom it is for, what is collected, what is in it, what its courier is to know. */
export const parcelOf = async (tx: Tx, order: OrderRow) => parcelOfLines(order, await linesOfOrder(tx, order.storeId, order.id))

/** The same, its lines being known. */
export function parcelOfLines(order: OrderRow, lines: readonly { name: string; quantity: number }[]) {
  return {
    recipient: { name: order.customerName, phone: order.customerPhone, phoneAlt: order.customerPhoneAlt },
    destination: order.destination,
    codAmount: decimalText(dueOf(order)),
    declaredValue: order.subtotal,
    takesBack: order.takesBack,
    orderVersion: order.version,
    contents: cut(lines.map(({ name, quantity }) => `${name} x${quantity}`).join(', ')),
    notes: cut(order.note),
  }
}

const cut = (text: string) => text.slice(0, TEXT_MAX).toWellFormed()
