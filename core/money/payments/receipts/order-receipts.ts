import { invariant } from '../../../lib/invariant.ts'
import { holdDeletedToo } from '../../../orders/change/hold.ts'
import { findOrderAnywhere } from '../../../orders/orders.queries.ts'
import { applyGatewayEvent } from '../events/apply-gateway-event.ts'
import { emitPaymentEvent } from '../orders/update-order-payment.ts'
import { findPayment, lockPayment, type PaymentRow, updatePayment } from '../payments.queries.ts'
import type { ReceiptPayments } from './upload-receipt.ts'

/** Receipts of payments of orders. */
export const orderReceipts: ReceiptPayments<PaymentRow> = {
  async find({ sql }, id) {
    const payment = await findPayment(sql, id)
    return payment && (await findOrderAnywhere(sql, payment.orderId)) && payment
  },
  async lock(tx, payment) {
    await holdDeletedToo(tx, payment)
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
