import { projectIdOf } from '../../../data/project-ids.ts'
import type { Tx } from '../../../data/sql.ts'
import { type Decimal, decimal } from '../../../lib/money/decimal.ts'
import type { LockedOrder } from '../../../orders/change/lock-order.ts'
import { updatePaymentStatus } from '../../../orders/pricing/payment-status.ts'
import { emitWebhook } from '../../../platform/webhooks/emit.ts'
import type { EventName } from '../../../platform/webhooks/events.ts'
import type { PaymentRow } from '../payments.model.ts'
import { listRefunds } from '../refunds/refunds.queries.ts'
import { isUnderWay } from '../statuses.ts'
import { listPaymentsOfOrder } from './order-payments.queries.ts'
import { presentPayment } from './present.ts'

/** Returns what a payment currently contributes to its order: paid less refunded, or 0 if it does not count. */
export const netPaidOf = ({ accepted, paid, refunded }: Pick<PaymentRow, 'accepted' | 'paid' | 'refunded'>): Decimal =>
  accepted ? decimal(paid ?? 0) - decimal(refunded) : 0n

/** Sums what payments contribute to their order. */
export const sumNetPaid = (payments: readonly PaymentRow[]): Decimal => payments.reduce((sum, payment) => sum + netPaidOf(payment), 0n)

/** Updates the order's paid amount and payment status from all its payments. Requires the lock of the order. */
export async function updateOrderPayment(tx: Tx, locked: LockedOrder): Promise<void> {
  const payments = await listPaymentsOfOrder(tx, projectIdOf(locked.order.storeId), locked.order.id)
  await updatePaymentStatus(tx, locked, {
    paid: sumNetPaid(payments),
    needsAttention: payments.some(({ concern }) => concern !== null),
    isPending: payments.some(({ status }) => isUnderWay(status)),
    wasRefunded: payments.some(({ refunded }) => decimal(refunded) > 0n),
  })
}

/** Emits a webhook event of a payment with its refunds. */
export async function emitPaymentEvent(tx: Tx, type: Extract<EventName, `payment.${string}`>, payment: PaymentRow): Promise<void> {
  const data = { payment: presentPayment(payment, await listRefunds(tx, payment.projectId, [payment.id])) }
  await emitWebhook(tx, [{ projectId: payment.projectId, type, data, orderKey: payment.payableId }])
}
