import { feature } from '../../feature.ts'
import { type DataOf, eventOfStore } from '../../platform/webhooks/events.ts'
import { listPaymentsUnderWay } from '../payments/payments.queries.ts'
import { billingErrors } from './billing.errors.ts'
import { endSubscription } from './cancel.ts'
import { type AppStore, openAppStore } from './in-app/app-store.ts'
import { applyVoidedPurchases } from './in-app/apply-refund.ts'
import { openPlayStore, type PlayStore } from './in-app/play-store.ts'
import { subscriptionPayments } from './payments/payments.routes.ts'
import { subscriptionProofs } from './payments/proofs.routes.ts'
import { subscriptionPayable, subscriptionRef } from './payments/subscription-payable.ts'
import { emailDueInvoice } from './periods/notify.ts'
import { advanceDueSubscriptions } from './periods/renew.ts'
import { notifyOrderLimits, planLimitSubscribers } from './plans/limits.ts'
import { plans } from './plans/plans.routes.ts'
import { Subscription } from './subscriptions.model.ts'
import { findSubscription, hasPlanInCurrency, lockSubscription } from './subscriptions.queries.ts'
import { subscriptions } from './subscriptions.routes.ts'

const events = {
  'subscription.updated': eventOfStore('Plan, period or status of what the store pays for became different, or was scheduled to', {
    subscription: Subscription,
  }),
}

declare module '../../platform/webhooks/events.ts' {
  interface Events extends DataOf<typeof events> {}
}

declare module '../../context.ts' {
  interface Services {
    /** App stores in which apps sell months of plans. */
    readonly appStores: { readonly app_store: AppStore; readonly play_store: PlayStore }
  }
}

/** Declares stores' subscriptions: plans, invoices, payments, limits and in-app purchases. */
export default feature('billing', {
  setup: async ({ config, outbound }) => ({
    services: { appStores: { app_store: await openAppStore(config), play_store: await openPlayStore(config, outbound) } },
  }),
  payables: [subscriptionPayable],
  routes: [plans, subscriptions, subscriptionPayments, subscriptionProofs],
  events,
  jobs: {
    'subscriptions.renewDue': { schedule: '*/5 * * * *', work: (context) => advanceDueSubscriptions(context) },
    'subscriptions.countOrders': { schedule: '23 * * * *', work: (context) => notifyOrderLimits(context) },
    'subscriptions.emailInvoice': { work: (context, { storeId, invoiceId }) => emailDueInvoice(context, storeId, invoiceId) },
    'subscriptions.applyVoided': { schedule: '41 */4 * * *', work: applyVoidedPurchases },
    'subscriptions.acknowledge': { work: ({ appStores }, purchase) => appStores.play_store.acknowledge(purchase) },
  },
  subscribers: {
    ...planLimitSubscribers,
    async 'currency.deleted'(tx, { code }) {
      if (await hasPlanInCurrency(tx, code)) throw billingErrors.currencyInUse({ code })
    },
    async 'store.deleted'(tx, { store: { id } }) {
      if (!(await findSubscription(tx, id))) return
      const sub = await lockSubscription(tx, id)
      const payments = await listPaymentsUnderWay(tx, subscriptionRef(id))
      if (payments.length > 0) throw billingErrors.paymentUnderWay()
      if (sub.periodEnd !== null) await endSubscription(tx, sub, 'cancelled', Date.now())
    },
  },
})
