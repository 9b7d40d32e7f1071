import type { Context } from '../../../context.ts'
import { findStore } from '../../../shop/stores/stores.queries.ts'
import type { PaidFor } from '../../payments/pages/page-head.ts'
import type { Proven } from '../../payments/receipts/upload-receipt.ts'
import { holdSubscription } from '../hold.ts'
import { tellReceipt } from '../periods/notify.ts'
import { applyNews } from './apply-gateway-event.ts'
import { findPayment, lockPayment, type PaymentRow, updatePayment } from './payments.queries.ts'

/** Receipts of payments of subscriptions. Platform administrators review them, and get an email for each new one. */
export const ofSubscriptions: Proven<PaymentRow> = {
  async find({ sql }, id) {
    const payment = await findPayment(sql, id)
    return payment && (await findStore(sql, payment.storeId)) && payment
  },
  async hold(tx, { storeId, id }) {
    await holdSubscription(tx, storeId)
    return lockPayment(tx, id)
  },
  async wait(context, tx, payment, expiresAt) {
    await updatePayment(tx, payment.id, { expiresAt, message: null })
    await applyNews(tx, payment, { paymentId: payment.id, status: 'processing' })
    if (payment.status !== 'processing') await tellReceipt(context, tx, payment)
    return lockPayment(tx, payment.id)
  },
  named: ({ id }) => ({ subscriptionPaymentId: id }),
}

/** Returns the subject of a payment for its pages: the subscription, and the name of the store. */
export const paidFor = async ({ sql }: Context, { storeId }: PaymentRow): Promise<PaidFor> => ({
  what: 'subscription',
  named: (await findStore(sql, storeId))?.name ?? '',
})
