import { decimal, decimalNumber } from '../lib/money/decimal.ts'
import { placeWarnings } from './create/place-warning.ts'
import type { Order } from './orders.model.ts'
import type { OrderRow } from './orders.queries.ts'

/** Lines of an order as the API shows them. */
export const presentOrderItems = (lines: OrderRow['items']): Order['items'] =>
  lines.map((item) => ({
    ...item,
    unitPrice: Number(item.unitPrice),
    total: decimalNumber(decimal(item.unitPrice) * BigInt(item.quantity)),
  }))

/** Order as the API shows it, with warnings about its destination. */
export function presentOrder(row: Omit<OrderRow, 'projectId'>): Order {
  const warnings = placeWarnings(row.destination)
  return {
    id: row.id,
    storeId: row.storeId,
    reference: row.reference,
    status: row.status,
    customer: { name: row.customerName, phone: row.customerPhone, phoneAlt: row.customerPhoneAlt, email: row.customerEmail },
    destination: row.destination,
    items: presentOrderItems(row.items),
    currency: row.currency,
    totals: { subtotal: Number(row.subtotal), delivery: Number(row.delivery), discount: Number(row.discount), total: Number(row.total) },
    byHand: { discount: Number(row.discountByHand), deliveryPrice: row.deliveryByHand === null ? null : Number(row.deliveryByHand) },
    paid: Number(row.paid),
    paymentStatus: row.paymentStatus,
    note: row.note,
    promoCode: row.promoCode,
    source: row.source,
    connectorId: row.connectorId,
    externalId: row.externalId,
    assignedTo: row.assignedTo,
    parcelId: row.parcelId,
    exchangeOf: row.exchangeOf,
    heldUntil: row.heldUntil,
    metadata: row.metadata,
    version: row.revision,
    ...(warnings.length > 0 && { warnings }),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}
