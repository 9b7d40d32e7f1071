import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { readKeysetPage } from '../../http/resource/page.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List, Nullable, pageQuery } from '../../http/schema.ts'
import { cancelSubscription } from './cancel.ts'
import { choosePlan } from './choose-plan.ts'
import { grantSubscription } from './grant-subscription.ts'
import { applyPurchaseRefund } from './in-app/apply-refund.ts'
import { redeemPurchase } from './in-app/redeem-purchase.ts'
import { activateSubscription } from './payments/activate.ts'
import { OfferedPlan } from './plans/plans.model.ts'
import { presentInvoice } from './present.ts'
import { buildSubscriptionReport, listPlanOffers } from './report.ts'
import {
  AppStoreNotification,
  Cancellation,
  GivenSubscription,
  InAppPurchase,
  Invoice,
  PlanChoice,
  SubscriptionReport,
} from './subscriptions.model.ts'
import { listInvoices } from './subscriptions.queries.ts'

const describe = tagOperations('Subscriptions')
const ByStore = T.Object({ storeId: Id })
const readOptions = { store: ['viewer', 'stores:read'], params: ByStore } as const
const ownerOptions = { member: 'owner', params: ByStore, response: Data(SubscriptionReport) } as const

/** Routes of a store's plan: offers, report, changes, invoices, in-app purchases and grants. Payments have routes of their own. */
export function subscriptions(context: Context) {
  const { sql } = context
  const reportOf = async (storeId: string) => ({ data: await buildSubscriptionReport(sql, storeId) })
  return new Elysia({ name: 'subscriptions', prefix: '/v1' })
    .use(context.authority)
    .get('/stores/:storeId/integrations/subscription/catalog', async ({ store }) => ({ data: await listPlanOffers(sql, store.id) }), {
      ...readOptions,
      response: Data(T.Array(OfferedPlan)),
      detail: describe('List the plans that a store can choose, cheapest first', 'listOfferedPlans'),
    })
    .get('/stores/:storeId/integrations/subscription/status', ({ store }) => reportOf(store.id), {
      ...readOptions,
      response: Data(SubscriptionReport),
      detail: describe('Read the plan of a store with its usage and open invoices', 'readSubscription'),
    })
    .get(
      '/stores/:storeId/subscription/invoices',
      async ({ store, query }) => {
        const found = await readKeysetPage(query, (before, take) => listInvoices(sql, store.id, before, take))
        return { ...found, data: found.data.map(presentInvoice) }
      },
      {
        ...readOptions,
        query: T.Object(pageQuery),
        response: List(Invoice),
        detail: describe('List invoices of a store, newest first', 'listSubscriptionInvoices'),
      },
    )
    .post(
      '/stores/:storeId/integrations/subscription/subscribe',
      async ({ store, body }) => {
        await transaction(sql, (tx) => choosePlan(tx, store.id, body.plan, { now: Date.now() }))
        return reportOf(store.id)
      },
      {
        ...ownerOptions,
        body: PlanChoice,
        detail: describe(
          'Choose a plan: an upgrade applies once it is paid, another plan from the next period on. Choosing the current plan undoes a cancellation',
          'subscribe',
        ),
      },
    )
    .post(
      '/stores/:storeId/integrations/subscription/cancel',
      async ({ store, body }) => {
        await transaction(sql, (tx) => cancelSubscription(tx, store.id, { atOnce: body?.atOnce ?? false, now: Date.now() }))
        return reportOf(store.id)
      },
      {
        ...ownerOptions,
        body: T.Optional(Nullable(Cancellation)),
        detail: describe(
          'Cancel the subscription at the end of its period, or at once; the store then has the free plan',
          'cancelSubscription',
        ),
      },
    )
    .post(
      '/stores/:storeId/subscription/upgrade',
      async ({ store, body }) => {
        await transaction(sql, (tx) => choosePlan(tx, store.id, body.plan, { now: Date.now(), upgrades: true }))
        return reportOf(store.id)
      },
      {
        ...ownerOptions,
        body: PlanChoice,
        detail: describe(
          'Upgrade the plan for the rest of the period: `dues` has the prorated price, less the rest of the current plan',
          'upgradeSubscription',
        ),
      },
    )
    .post(
      '/stores/:storeId/subscription/activate',
      async ({ store }) => {
        await activateSubscription(context, store.id)
        return reportOf(store.id)
      },
      {
        ...ownerOptions,
        detail: describe(
          'Sync payments with the gateways, then resume a subscription that was cancelled or waits for payment',
          'activateSubscription',
        ),
      },
    )
    .post(
      '/stores/:storeId/subscription/buyMonthWithIap',
      async ({ store, body }) => {
        await redeemPurchase(context, store.id, body)
        return reportOf(store.id)
      },
      {
        ...ownerOptions,
        body: InAppPurchase,
        detail: describe('Redeem a month that was bought in an app, with the receipt of the app store', 'buyMonthWithIap'),
      },
    )
    .post(
      '/subscriptions/app-store/notifications',
      async ({ body }) => {
        const refunded = await context.appStores.app_store.verifyNotification(body.signedPayload)
        if (refunded) await applyPurchaseRefund(sql, refunded)
        return { received: true }
      },
      {
        open: true,
        body: AppStoreNotification,
        response: T.Object({ received: T.Boolean() }),
        detail: describe('Receive App Store server notifications (version 2): refunded purchases are owed again', 'hearAppStore'),
      },
    )
    .put(
      '/admins/stores/:id/subscription',
      async ({ params, body }) => {
        await transaction(sql, (tx) => grantSubscription(tx, params.id, body, Date.now()))
        return reportOf(params.id)
      },
      {
        user: 'admin',
        params: T.Object({ id: Id }),
        body: GivenSubscription,
        response: Data(SubscriptionReport),
        detail: describe('Grant a store a plan without payment, or add to its credit', 'giveSubscription'),
      },
    )
}
