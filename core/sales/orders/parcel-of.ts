import type { Tx } from '../../data/sql.ts'
import { linesOfOrder, type OrderRow } from './orders.queries.ts'

const CONTENTS_MAX = 1000

/** What a parcel takes over from its order: whom it is for, what is collected, what is in it. */
export async function parcelOf(tx: Tx, order: OrderRow) {
  const lines = await linesOfOrder(tx, order.storeId, order.id)
  return {
    recipient: { name: order.customerName, phone: order.customerPhone, phoneAlt: order.customerPhoneAlt },
    destination: order.destination,
    codAmount: order.total,
    declaredValue: order.subtotal,
    orderVersion: order.version,
    contents: lines
      .map(({ name, quantity }) => `${name} x${quantity}`)
      .join(', ')
      .slice(0, CONTENTS_MAX),
  }
}
