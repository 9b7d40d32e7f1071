import { Payment } from '../../../plugins/payment/model.ts'
import { searched } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { type DataOf, eventOfStore } from '../../platform/webhooks/events.ts'
import { expirePayment, forgetOldNews, readDue, readPayment } from './events/poll-payment.ts'
import { receive } from './events/receive.ts'
import { begin, notified } from './gateway/host.ts'
import { followOrders } from './orders/follow-order.ts'
import { personalRefunds } from './payments.queries.ts'
import { payments } from './payments.routes.ts'
import { personalProofs } from './receipts/erase-proofs.ts'
import { proofs } from './receipts/proofs.routes.ts'
import { askRefund } from './refunds.ts'
import { logDifferences } from './verify.ts'

const events = {
  'payment.paid': eventOfStore('A payment arrived', { payment: Payment }),
  'payment.failed': eventOfStore('A payment came to nothing', { payment: Payment }),
  'payment.refunded': eventOfStore('A payment was given back, or a part of it', { payment: Payment }),
  'payment.proof_received': eventOfStore('A payer sent a receipt: a person says whether the money is there', { payment: Payment }),
  'payment.needs_attention': eventOfStore('A payment waits for a person; its `concern` says why', { payment: Payment }),
}

declare module '../../platform/webhooks/events.ts' {
  interface Events extends DataOf<typeof events> {}
}

/** Declares customers' payments through gateways: routes, adapter operations, webhooks, events, jobs and subscribers. */
export default feature('payments', {
  routes: [payments, proofs],
  operations: { payment: { initiate: begin, notified } },
  webhooks: { payment: (context, { slug }, storeId, request) => receive(context, slug, storeId, request) },
  events,
  jobs: {
    'payments.readDue': { at: '* * * * *', work: readDue },
    'payments.read': { work: (context, { paymentId, quota }) => readPayment(context, paymentId, { quota }) },
    'payments.expire': { work: (context, { paymentId }) => expirePayment(context, paymentId) },
    'payments.refund': { work: (context, { refundId }) => askRefund(context, refundId) },
    'payments.forget': { at: '13 3 * * *', work: forgetOldNews },
    'payments.verify': { at: '47 3 * * *', work: logDifferences },
  },
  subscribers: followOrders,
  personalData: [
    searched({
      table: 'payments',
      owner: 'order',
      key: ['id'],
      columns: { message: 'text', directions: 'json', checkout_url: 'text', return_to: 'text' },
    }),
    searched({ table: 'payment_news', owner: 'connection', key: ['connection_id', 'digest'], columns: { news: 'json' }, created: 'at' }),
    personalRefunds,
    personalProofs,
  ],
})
