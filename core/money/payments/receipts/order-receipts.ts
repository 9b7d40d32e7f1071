import { invariant } from '../../../lib/invariant.ts'
import { lockOrderWithParcelsIncludingDeleted } from '../../../orders/change/lock-order.ts'
import { findOrderById } from '../../../orders/orders.queries.ts'
import { applyGatewayEvent } from '../events/apply-gateway-event.ts'
import { emitPaymentEvent } from '../orders/update-order-payment.ts'
import { findPayment, lockPayment, type PaymentRow, updatePayment } from '../payments.queries.ts'
import type { ReceiptPayments } from './upload-receipt.ts'

/** Receipts of payments of orders. */
export const orderReceipts: ReceiptPayments<PaymentRow> = {
  async find({ sql }, id) {
    const payment = await findPayment(sql, id)
    return payment && (await findOrderById(sql, payment.orderId)) && payment
  },
  async lock(tx, payment) {
    await lockOrderWithParcelsIncludingDeleted(tx, payment)
    return invariant(await lockPayment(tx, payment.id), 'A payment with a receipt')
  },
  async awaitReview(_, tx, payment, expiresAt) {
    const { id } = await updatePayment(tx, payment.id, { expiresAt, message: null })
    await applyGatewayEvent(tx, payment, { paymentId: id, status: 'processing' })
    const waiting = invariant(await findPayment(tx, id), 'A payment with a receipt')
    await emitPaymentEvent(tx, 'payment.proof_received', waiting)
    return waiting
  },
  proofOwner: ({ id }) => ({ paymentId: id }),
}
