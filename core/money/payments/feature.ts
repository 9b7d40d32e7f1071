import { Payment } from '../../../plugins/payment/payments.model.ts'
import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { type DataOf, eventOfStore } from '../../platform/webhooks/events.ts'
import { paymentChecks } from './checks.ts'
import { deleteOldGatewayEvents, enqueueDuePolls, expirePayment, pollPayment } from './events/poll-payment.ts'
import { applyCallback } from './events/receive-callback.ts'
import { receiveNotification } from './gateway/receive-notification.ts'
import { beginCheckout } from './orders/begin-checkout.ts'
import { orderPayable } from './orders/order-payable.ts'
import { payments } from './orders/payments.routes.ts'
import { proofs } from './orders/proofs.routes.ts'
import { orderSubscribers } from './orders/subscribers.ts'
import { countPaymentsToReview } from './orders/waiting.queries.ts'
import { paymentErrors } from './payments.errors.ts'
import { countPaymentsUnderWay } from './payments.queries.ts'
import { proofPersonalData } from './receipts/upload-receipt.ts'
import { refundPersonalData } from './refunds/refunds.queries.ts'
import { submitRefund } from './refunds/submit-refund.ts'

const events = {
  'payment.paid': eventOfStore('The money of a customer is there, so the carrier collects less', { payment: Payment }),
  'payment.failed': eventOfStore('The bank declined, the customer gave up, or the checkout page expired', { payment: Payment }),
  'payment.refunded': eventOfStore('Some or all of the money went back to the customer', { payment: Payment }),
  'payment.proof_received': eventOfStore('A customer uploaded a receipt: check whether the money is there, then record it', {
    payment: Payment,
  }),
  'payment.needs_attention': eventOfStore('A member must decide about the money of a customer; `concern` says why', { payment: Payment }),
}

declare module '../../platform/webhooks/events.ts' {
  interface Events extends DataOf<typeof events> {}
}

/** Declares payments through gateways, of whatever features declare as payable, and orders as the first of them. */
export default feature('payments', {
  payables: [orderPayable],
  routes: [payments, proofs],
  operations: { payment: { initiate: beginCheckout, notified: receiveNotification } },
  webhooks: { payment: { handle: applyCallback } },
  events,
  checks: paymentChecks,
  jobs: {
    'payments.pollDue': { schedule: '* * * * *', work: enqueueDuePolls },
    'payments.poll': { work: (context, { paymentId, quota }) => pollPayment(context, paymentId, { quota }) },
    'payments.expire': { work: (context, { paymentId }) => expirePayment(context, paymentId) },
    'payments.refund': { work: (context, { refundId }) => submitRefund(context, refundId) },
    'payments.deleteOldEvents': { schedule: '13 3 * * *', work: deleteOldGatewayEvents },
  },
  subscribers: {
    ...orderSubscribers,
    // Events of its payments would be lost.
    async 'connection.removed'(tx, { connection: { id, key } }) {
      const payments = await countPaymentsUnderWay(tx, id)
      if (payments > 0) throw paymentErrors.paymentsOfGatewayUnderWay({ payments, key })
    },
  },
  attention: [
    {
      kind: 'payments_to_review',
      meaning: 'Money of customers that does not fit, or whose refund is uncertain: decide about it.',
      group: 'money',
      right: ['agent', 'orders:write'],
      count: countPaymentsToReview,
    },
  ],
  personalData: [
    eraseBySearch({
      table: 'payments',
      owner: 'order',
      key: ['id'],
      columns: { message: 'text', directions: 'json', checkout_url: 'text', return_to: 'text' },
    }),
    eraseBySearch({
      table: 'payment_events',
      owner: 'project',
      key: ['connection_id', 'digest'],
      columns: { news: 'json' },
      created: 'at',
    }),
    refundPersonalData,
    proofPersonalData,
  ],
})
