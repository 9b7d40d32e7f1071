import { feature } from '../../feature.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { type DataOf, eventOfStore } from '../../platform/webhooks/events.ts'
import { finish } from './cancel.ts'
import { type AppStore, openAppStore } from './in-app/app-store.ts'
import { hearVoided } from './in-app/apply-voided.ts'
import { openPlayStore, type PlayStore } from './in-app/play-store.ts'
import { countUnderWayAt, listUnderWay } from './payments/payments.queries.ts'
import { subscriptionPayments } from './payments/payments.routes.ts'
import { expirePayment, readDue, readPayment } from './payments/poll-payment.ts'
import { subscriptionProofs } from './payments/proofs.routes.ts'
import { lookNamed } from './payments/receive.ts'
import { tellDue } from './periods/notify.ts'
import { turnDue } from './periods/renew.ts'
import { countAllOrders, limitGrowth } from './plans/limits.ts'
import { plans } from './plans/plans.routes.ts'
import { Subscription } from './subscriptions.model.ts'
import { findSubscription, hasPlanIn, lockSubscription } from './subscriptions.queries.ts'
import { subscriptions } from './subscriptions.routes.ts'

const events = {
  'subscription.updated': eventOfStore('The store has another plan, or another period of it, or will have', { subscription: Subscription }),
}

declare module '../../platform/webhooks/events.ts' {
  interface Events extends DataOf<typeof events> {}
}

declare module '../../context.ts' {
  interface Services {
    /** App stores in which apps sell months of plans. */
    readonly inAppShops: { readonly app_store: AppStore; readonly play_store: PlayStore }
  }
}

/** Declares stores' subscriptions: plans, invoices, payments, limits and in-app purchases. */
export default feature('subscriptions', {
  setup: async ({ config, outbound }) => ({
    services: { inAppShops: { app_store: await openAppStore(config), play_store: await openPlayStore(config, outbound) } },
  }),
  routes: [plans, subscriptions, subscriptionPayments, subscriptionProofs],
  events,
  jobs: {
    'subscriptions.turn': { at: '*/5 * * * *', work: (context) => turnDue(context) },
    'subscriptions.countOrders': { at: '23 * * * *', work: (context) => countAllOrders(context) },
    'subscriptions.tellDue': { work: (context, { storeId, invoiceId }) => tellDue(context, storeId, invoiceId) },
    'subscriptions.readDue': { at: '* * * * *', work: readDue },
    'subscriptions.read': { work: (context, { paymentId }) => readPayment(context, paymentId) },
    'subscriptions.expire': { work: (context, { paymentId }) => expirePayment(context, paymentId) },
    'subscriptions.hearVoided': { at: '41 */4 * * *', work: hearVoided },
    'subscriptions.acknowledge': { work: ({ inAppShops }, purchase) => inAppShops.play_store.acknowledge(purchase) },
  },
  subscribers: {
    ...limitGrowth,
    'checkout.named': lookNamed,
    async 'currency.leaving'(tx, { code }) {
      if (await hasPlanIn(tx, code)) throw new ApiError('conflict', `Plans are sold in ${code}. Hide it instead: "enabled": false.`)
    },
    async 'connection.leaving'(tx, { connection: { id, key } }) {
      const payments = await countUnderWayAt(tx, id)
      if (payments > 0)
        throw new ApiError(
          'conflict',
          `${payments} payments of stores are in progress at ${key}. Switch it off now, and delete it when they have ended.`,
        )
    },
    async 'store.leaving'(tx, { store: { id } }) {
      if (!(await findSubscription(tx, id))) return
      const sub = await lockSubscription(tx, id)
      const payments = await listUnderWay(tx, id)
      if (payments.length > 0)
        throw new ApiError('conflict', 'A payment of the subscription is in progress. Delete the store when it has ended.')
      if (sub.periodEnd !== null) await finish(tx, sub, 'cancelled', Date.now())
    },
  },
})
