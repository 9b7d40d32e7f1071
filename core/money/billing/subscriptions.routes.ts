import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { page } from '../../http/resource/page.ts'
import { Data, Id, List, Nullable, pageQuery } from '../../http/schema.ts'
import { cancel } from './cancel.ts'
import { choosePlan } from './choose.ts'
import { giveSubscription } from './give.ts'
import { buyMonth } from './in-app/buy.ts'
import { takeBack } from './in-app/revoke.ts'
import { activate } from './payments/activate.ts'
import { OfferedPlan } from './plans/plans.model.ts'
import { presentInvoice } from './present.ts'
import { offer, report } from './report.ts'
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

const describe = (summary: string, operationId: string) => ({ tags: ['Subscriptions'], summary, operationId })
const ByStore = T.Object({ storeId: Id })
const reads = { store: ['viewer', 'stores:read'], params: ByStore } as const
const steers = { member: 'owner', params: ByStore, response: Data(SubscriptionReport) } as const

/** The plan of a store: what there is, what it has, what it owes, and how it changes. What is paid stands beside it. */
export function subscriptions(context: Context) {
  const { sql } = context
  const shown = async (storeId: string) => ({ data: await report(sql, storeId) })
  return new Elysia({ name: 'subscriptions', prefix: '/v1' })
    .use(context.authority)
    .get('/stores/:storeId/integrations/subscription/catalog', async ({ store }) => ({ data: await offer(sql, store.id) }), {
      ...reads,
      response: Data(T.Array(OfferedPlan)),
      detail: describe('The plans that a store may choose from, the cheapest first', 'listOfferedPlans'),
    })
    .get('/stores/:storeId/integrations/subscription/status', ({ store }) => shown(store.id), {
      ...reads,
      response: Data(SubscriptionReport),
      detail: describe('The plan of a store, what it uses of it, and what is to be paid', 'readSubscription'),
    })
    .get(
      '/stores/:storeId/subscription/invoices',
      async ({ store, query }) => {
        const found = await page(query, (before, take) => listInvoices(sql, store.id, before, take))
        return { ...found, data: found.data.map(presentInvoice) }
      },
      {
        ...reads,
        query: T.Object(pageQuery),
        response: List(Invoice),
        detail: describe('What a store was asked for, newest first', 'listSubscriptionInvoices'),
      },
    )
    .post(
      '/stores/:storeId/integrations/subscription/subscribe',
      async ({ store, body }) => {
        await transaction(sql, (tx) => choosePlan(tx, store.id, body.plan, { now: Date.now() }))
        return shown(store.id)
      },
      {
        ...steers,
        body: PlanChoice,
        detail: describe(
          'Choose a plan: a dearer one is had once it is paid, another from the next period on; chosen again, what was cancelled goes on',
          'subscribe',
        ),
      },
    )
    .post(
      '/stores/:storeId/integrations/subscription/cancel',
      async ({ store, body }) => {
        await transaction(sql, (tx) => cancel(tx, store.id, { atOnce: body?.atOnce ?? false, now: Date.now() }))
        return shown(store.id)
      },
      {
        ...steers,
        body: T.Optional(Nullable(Cancellation)),
        detail: describe('End the subscription with its period, or at once; the store has the free plan then', 'cancelSubscription'),
      },
    )
    .post(
      '/stores/:storeId/subscription/upgrade',
      async ({ store, body }) => {
        await transaction(sql, (tx) => choosePlan(tx, store.id, body.plan, { now: Date.now(), upgrades: true }))
        return shown(store.id)
      },
      {
        ...steers,
        body: PlanChoice,
        detail: describe(
          'Have a dearer plan for the rest of the period: `dues` says what that costs, less what is left of the present one',
          'upgradeSubscription',
        ),
      },
    )
    .post(
      '/stores/:storeId/subscription/activate',
      async ({ store }) => {
        await activate(context, store.id)
        return shown(store.id)
      },
      {
        ...steers,
        detail: describe(
          'Have gateways asked what was paid, and what was cancelled or waits for its payment go on',
          'activateSubscription',
        ),
      },
    )
    .post(
      '/stores/:storeId/subscription/buyMonthWithIap',
      async ({ store, body }) => {
        await buyMonth(context, store.id, body)
        return shown(store.id)
      },
      {
        ...steers,
        body: InAppPurchase,
        detail: describe('Take a month that was bought in an app, by the proof that its shop gave', 'buyMonthWithIap'),
      },
    )
    .post(
      '/subscriptions/app-store/notifications',
      async ({ body }) => {
        const refunded = await context.inAppShops.app_store.hear(body.signedPayload)
        if (refunded) await takeBack(sql, refunded)
        return { received: true }
      },
      {
        open: true,
        body: AppStoreNotification,
        response: T.Object({ received: T.Boolean() }),
        detail: describe(
          'What the App Store tells of purchases in the app (server notifications, version 2): those refunded are owed again',
          'hearAppStore',
        ),
      },
    )
    .put(
      '/admins/stores/:id/subscription',
      async ({ params, body }) => {
        await transaction(sql, (tx) => giveSubscription(tx, params.id, body, Date.now()))
        return shown(params.id)
      },
      {
        user: 'admin',
        params: T.Object({ id: Id }),
        body: GivenSubscription,
        response: Data(SubscriptionReport),
        detail: describe('Give a store a plan without a payment, or put something to its credit', 'giveSubscription'),
      },
    )
}
