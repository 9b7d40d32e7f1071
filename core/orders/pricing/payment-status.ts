import type { Tx } from '../../data/sql.ts'
import { type Decimal, decimal, decimalText } from '../../lib/money/decimal.ts'
import { updateUnsentParcel } from '../../logistics/parcels/change/update-unsent.ts'
import type { LockedOrder } from '../change/lock-order.ts'
import { type OrderRow, updateOrder } from '../orders.queries.ts'
import { unsentParcelValues } from '../parcels/sync-parcel.ts'
import type { OrderPaymentStatus } from '../statuses.ts'

/** Summary of the payments of an order. */
export interface PaymentSummary {
  /** Sum of the payments that count, less refunds. */
  readonly paid: Decimal
  readonly needsAttention: boolean
  readonly isPending: boolean
  readonly wasRefunded: boolean
}

/** Payment status of an order, from its total and its payments. */
function paymentStatusOf(total: Decimal, { paid, ...is }: PaymentSummary): OrderPaymentStatus {
  if (is.needsAttention) return 'needs_attention'
  if (paid > 0n) return paid >= total ? 'paid' : 'partially_paid'
  if (is.isPending) return 'pending'
  return is.wasRefunded ? 'refunded' : 'unpaid'
}

/**
 * Updates the paid amount and the payment status of a locked order, and the amounts that its unsent parcels collect. Returns the updated
 * row.
 */
export async function updatePaymentStatus(tx: Tx, { order, parcels }: LockedOrder, soFar: PaymentSummary): Promise<OrderRow> {
  const paymentStatus = paymentStatusOf(decimal(order.total), soFar)
  const paid = decimalText(soFar.paid)
  const isOther = decimal(order.paid) !== soFar.paid
  if (!isOther && paymentStatus === order.paymentStatus) return order
  const waiting = isOther ? parcels.filter(({ status }) => status === 'created') : []
  // Parcels of a divided order that a carrier has stay as they are, so its version stays.
  const version = order.version + (waiting.length > 0 && !order.isDivided ? 1 : 0)
  const noted = { ...order, paid, paymentStatus, version, revision: order.revision + 1 }
  await updateOrder(tx, order, { paid, paymentStatus, version })
  for (const {
    parcel,
    values: { codAmount, orderVersion },
  } of await unsentParcelValues(tx, noted, waiting))
    await updateUnsentParcel(tx, parcel, { codAmount, orderVersion })
  return noted
}
