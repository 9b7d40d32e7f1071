import { Payment } from '../../../plugins/payment/payments.model.ts'
import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { type DataOf, eventOfStore } from '../../platform/webhooks/events.ts'
import { paymentChecks } from './checks.ts'
import { deleteOldGatewayEvents, enqueueDuePolls, expirePayment, pollPayment } from './events/poll-payment.ts'
import { applyCallback } from './events/receive-callback.ts'
import { beginCheckout, receiveNotification } from './gateway/host.ts'
import { paymentSubscribers } from './orders/subscribers.ts'
import { refundPersonalData } from './payments.queries.ts'
import { payments } from './payments.routes.ts'
import { proofs } from './receipts/proofs.routes.ts'
import { proofPersonalData } from './receipts/upload-receipt.ts'
import { submitRefund } from './refunds.ts'

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

/** Declares customers' payments through gateways: routes, adapter operations, webhooks, events, jobs and subscribers. */
export default feature('payments', {
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
  subscribers: paymentSubscribers,
  personalData: [
    eraseBySearch({
      table: 'payments',
      owner: 'order',
      key: ['id'],
      columns: { message: 'text', directions: 'json', checkout_url: 'text', return_to: 'text' },
    }),
    eraseBySearch({
      table: 'payment_events',
      owner: 'connection',
      key: ['connection_id', 'digest'],
      columns: { news: 'json' },
      created: 'at',
    }),
    refundPersonalData,
    proofPersonalData,
  ],
})
