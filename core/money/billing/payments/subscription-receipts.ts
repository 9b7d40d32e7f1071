import type { Context } from '../../../context.ts'
import { findStore } from '../../../shop/stores/stores.queries.ts'
import type { PaymentSubject } from '../../payments/pages.ts'
import type { ReceiptPayments } from '../../payments/receipts/upload-receipt.ts'
import { emailWaitingReceipt } from '../periods/notify.ts'
import { lockStoreSubscription } from '../periods/save-subscription.ts'
import { applyGatewayEvent } from './apply-gateway-event.ts'
import { findPayment, lockPayment, type PaymentRow, updatePayment } from './payments.queries.ts'

/** Receipts of payments of subscriptions. Platform administrators review them, and get an email for each new one. */
export const subscriptionReceipts: ReceiptPayments<PaymentRow> = {
  async find({ sql }, id) {
    const payment = await findPayment(sql, id)
    return payment && (await findStore(sql, payment.storeId)) && payment
  },
  async lock(tx, { storeId, id }) {
    await lockStoreSubscription(tx, storeId)
    return lockPayment(tx, id)
  },
  async awaitReview(context, tx, payment, expiresAt) {
    await updatePayment(tx, payment.id, { expiresAt, message: null })
    await applyGatewayEvent(tx, payment, { paymentId: payment.id, status: 'processing' })
    if (payment.status !== 'processing') await emailWaitingReceipt(context, tx, payment)
    return lockPayment(tx, payment.id)
  },
  proofOwner: ({ id }) => ({ subscriptionPaymentId: id }),
}

/** Returns the subject of a payment for its pages: the subscription, and the name of the store. */
export const paymentSubjectOf = async ({ sql }: Context, { storeId }: PaymentRow): Promise<PaymentSubject> => ({
  what: 'subscription',
  named: (await findStore(sql, storeId))?.name ?? '',
})
