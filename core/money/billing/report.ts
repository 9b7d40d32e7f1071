import type { Queryable } from '../../data/sql.ts'
import { decimalNumber } from '../../lib/money/decimal.ts'
import { planChangeTime } from './choose-plan.ts'
import { inAppAccountOf } from './in-app/verified-purchase.ts'
import { findAmountDue } from './payments/due.ts'
import { readPlanUsage } from './plans/limits.ts'
import type { OfferedPlan } from './plans/plans.model.ts'
import { presentInvoice, presentSubscription } from './present.ts'
import type { Subscription, SubscriptionReport } from './subscriptions.model.ts'
import {
  findPlanInForce,
  findSubscription,
  listAvailablePlans,
  listCredits,
  listOpenInvoices,
  type SubscriptionRow,
} from './subscriptions.queries.ts'

/** Reads a store's subscription. A store without one has the free plan. */
export async function readSubscription(sql: Queryable, storeId: string): Promise<{ row: SubscriptionRow; shown: Subscription }> {
  const [found, plan] = await Promise.all([findSubscription(sql, storeId), findPlanInForce(sql, storeId)])
  const row = found ?? defaultSubscription(storeId, plan)
  return { row, shown: presentSubscription(row, plan) }
}

const defaultSubscription = (storeId: string, { code, currency }: { code: string; currency: string }): SubscriptionRow => ({
  storeId,
  plan: code,
  status: 'active',
  periodStart: null,
  periodEnd: null,
  anchor: null,
  rate: '0',
  currency,
  nextPlan: null,
  cancels: false,
  trialUsed: false,
  lookAt: null,
})

/** Builds the full report of a store's subscription: plan, usage, unpaid invoices and credits. */
export async function buildSubscriptionReport(sql: Queryable, storeId: string, now = Date.now()): Promise<SubscriptionReport> {
  const { shown } = await readSubscription(sql, storeId)
  const [usage, open, due, credits] = await Promise.all([
    readPlanUsage(sql, storeId, now),
    listOpenInvoices(sql, storeId, now),
    findAmountDue(sql, storeId, now),
    listCredits(sql, storeId),
  ])
  return {
    ...shown,
    usage,
    dues: open.map(presentInvoice),
    due: due && { amount: decimalNumber(due.amount), currency: due.currency },
    credits: credits.map(({ currency, amount }) => ({ currency, amount: Number(amount) })),
    inAppAccount: inAppAccountOf(storeId),
  }
}

/** Lists the plans that a store can choose, cheapest first, with the time at which each would apply. */
export async function listPlanOffers(sql: Queryable, storeId: string): Promise<OfferedPlan[]> {
  const { row, shown } = await readSubscription(sql, storeId)
  const current = await findPlanInForce(sql, storeId)
  return (await listAvailablePlans(sql, shown.plan)).map((plan) => ({
    code: plan.code,
    name: plan.name,
    description: plan.description,
    price: Number(plan.price),
    currency: plan.currency,
    limits: plan.limits,
    extraOrderPrice: plan.extraOrderPrice === null ? null : Number(plan.extraOrderPrice),
    trialDays: row.trialUsed ? 0 : plan.trialDays,
    appStoreProduct: plan.appStoreProduct,
    playStoreProduct: plan.playStoreProduct,
    change: plan.code === shown.plan ? 'current' : planChangeTime(row, current, plan),
  }))
}
