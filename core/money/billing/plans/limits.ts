import type { Context } from '../../../context.ts'
import { type Queryable, transaction } from '../../../data/sql.ts'
import type { Subscribers } from '../../../data/subscribers.ts'
import { limitedResources } from '../../../shop/stores/limited-resources.model.ts'
import { billingErrors } from '../billing.errors.ts'
import { periodOf } from '../create-invoices.ts'
import { emailOrderUsage } from '../periods/notify.ts'
import { calendarMonth, type Period } from '../periods/periods.ts'
import { statusRules } from '../statuses.ts'
import { findPlanInForce, findSubscription, listStoresWithOrderLimit, type SubscriptionRow } from '../subscriptions.queries.ts'
import type { LimitedResource } from './plans.model.ts'
import { countLimitedResource, countOrders, lockGrowth } from './usage.queries.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'subscriptions.countOrders': Record<string, unknown>
  }
}

const BATCH = 500
/** Percentages of used orders at which the owner gets an email. */
const THRESHOLDS = [100, 80] as const

/** Subscriber that rejects growth beyond the plan's limit with `plan_limit_reached`. Concurrent changes of a store run one at a time. */
export const planLimitSubscribers: Subscribers = {
  async 'store.resource_requested'(tx, { storeId, what }) {
    const { name, code, limits } = await findPlanInForce(tx, storeId)
    const limit = limits[what] ?? null
    if (limit === null) return
    await lockGrowth(tx, storeId, what)
    if ((await countLimitedResource(tx, storeId, what)) < limit) return
    throw billingErrors.planLimitReached(
      { name, limit, what, storeId },
      { issues: [{ isOutside: true, field: ['plans', code, 'limits', what], message: String(limit) }] },
    )
  },
}

/** Returns the period in which orders are counted: the paid period, or else the calendar month. */
const countingPeriod = (sub: SubscriptionRow | undefined, now: number): Period =>
  (sub && statusRules[sub.status].hasPlan && periodOf(sub)) || calendarMonth(now)

/** Usage and limit of everything that a plan can limit; a null limit is none. */
export type PlanUsage = Readonly<Record<LimitedResource, { readonly used: number; readonly limit: number | null }>>

/** Returns a store's usage of everything that a plan can limit. */
export async function readPlanUsage(sql: Queryable, storeId: string, now: number): Promise<PlanUsage> {
  const [{ limits }, sub] = await Promise.all([findPlanInForce(sql, storeId), findSubscription(sql, storeId)])
  const [products, members, domains] = await Promise.all(limitedResources.map((what) => countLimitedResource(sql, storeId, what)))
  const ordersPerMonth = await countOrders(sql, storeId, countingPeriod(sub, now))
  const of = (what: LimitedResource, used = 0) => ({ used, limit: limits[what] ?? null })
  return {
    products: of('products', products),
    members: of('members', members),
    domains: of('domains', domains),
    ordersPerMonth: of('ordersPerMonth', ordersPerMonth),
  }
}

/** Emails owners whose orders reach 80 or 100 percent of the plan's limit. Orders beyond the limit are never rejected. */
export async function notifyOrderLimits(context: Context, now = Date.now()): Promise<void> {
  const { sql } = context
  for (let after = ''; ; ) {
    const stores = await listStoresWithOrderLimit(sql, after, BATCH)
    for (const { storeId } of stores) {
      const [{ limits, name }, sub] = await Promise.all([findPlanInForce(sql, storeId), findSubscription(sql, storeId)])
      const period = countingPeriod(sub, now)
      const limit = limits.ordersPerMonth ?? null
      const used = await countOrders(sql, storeId, period)
      const percent = limit === null || used === 0 ? undefined : THRESHOLDS.find((part) => used * 100 >= limit * part)
      if (limit !== null && percent !== undefined)
        await transaction(sql, (tx) => emailOrderUsage(context, tx, storeId, { plan: name, limit, used, percent, since: period.start }))
    }
    after = stores.at(-1)?.storeId ?? ''
    if (stores.length < BATCH) return
  }
}

/**
 * Returns a predicate for the platform's models that the store's plan includes, by model id. `source/*` includes every id with that prefix.
 */
export async function planModelFilter(sql: Queryable, storeId: string): Promise<(id: string) => boolean> {
  const { models = null } = (await findPlanInForce(sql, storeId)).limits
  if (models === null) return () => true
  const [exact, prefixes] = [new Set(models), models.flatMap((one) => (one.endsWith('*') ? [one.slice(0, -1)] : []))]
  return (id) => exact.has(id) || prefixes.some((start) => id.startsWith(start))
}
