import type { Context } from '../../../context.ts'
import { type Queryable, transaction } from '../../../data/sql.ts'
import type { Subscribers } from '../../../data/subscribers.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { growths } from '../../../shop/stores/growing.model.ts'
import { periodOf } from '../ask.ts'
import { tellOrders } from '../periods/notify.ts'
import { calendarMonth, type Period } from '../periods/periods.ts'
import { statuses } from '../statuses.ts'
import { findPlanInForce, findSubscription, listWithOrderLimit, type SubscriptionRow } from '../subscriptions.queries.ts'
import type { Limited } from './plans.model.ts'
import { countGrown, countOrders, holdGrowth } from './usage.queries.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'subscriptions.countOrders': Record<string, unknown>
  }
}

const AT_ONCE = 500
/** Its owner is told when so many percent of the orders of a period are there. */
const TOLD_AT = [100, 80] as const

/** A store grows as far as its plan lets it: those who would have it grow at once wait for each other, and each counts anew. */
export const limitGrowth: Subscribers = {
  async 'store.growing'(tx, { storeId, what }) {
    const { name, code, limits } = await findPlanInForce(tx, storeId)
    const limit = limits[what] ?? null
    if (limit === null) return
    await holdGrowth(tx, storeId, what)
    if ((await countGrown(tx, storeId, what)) < limit) return
    throw new ApiError(
      'plan_limit_reached',
      `The plan "${name}" gives a store ${limit} ${what}, and it has them. Choose another: POST /v1/stores/${storeId}/subscription/upgrade.`,
      { details: [{ path: `/plans/${code}/limits/${what}`, message: String(limit) }] },
    )
  },
}

/** The time in which orders are counted: the period that is paid, else the month of the calendar. */
const countedIn = (sub: SubscriptionRow | undefined, now: number): Period =>
  (sub && statuses[sub.status].hasPlan && periodOf(sub)) || calendarMonth(now)

export type Usage = Readonly<Record<Limited, { readonly used: number; readonly limit: number | null }>>

/** What a store has of all that a plan may limit. */
export async function usageOf(sql: Queryable, storeId: string, now: number): Promise<Usage> {
  const [{ limits }, sub] = await Promise.all([findPlanInForce(sql, storeId), findSubscription(sql, storeId)])
  const [products, members, domains] = await Promise.all(growths.map((what) => countGrown(sql, storeId, what)))
  const ordersPerMonth = await countOrders(sql, storeId, countedIn(sub, now))
  const of = (what: Limited, used = 0) => ({ used, limit: limits[what] ?? null })
  return {
    products: of('products', products),
    members: of('members', members),
    domains: of('domains', domains),
    ordersPerMonth: of('ordersPerMonth', ordersPerMonth),
  }
}

/** No order is lost for want of a plan: its owner is told when the limit comes near, and when it is reached. */
export async function countAllOrders(context: Context, now = Date.now()): Promise<void> {
  const { sql } = context
  for (let after = ''; ; ) {
    const stores = await listWithOrderLimit(sql, after, AT_ONCE)
    for (const { storeId } of stores) {
      const [{ limits, name }, sub] = await Promise.all([findPlanInForce(sql, storeId), findSubscription(sql, storeId)])
      const period = countedIn(sub, now)
      const limit = limits.ordersPerMonth ?? null
      const used = await countOrders(sql, storeId, period)
      const percent = limit === null || used === 0 ? undefined : TOLD_AT.find((part) => used * 100 >= limit * part)
      if (limit !== null && percent !== undefined)
        await transaction(sql, (tx) => tellOrders(context, tx, storeId, { plan: name, limit, used, percent, since: period.start }))
    }
    after = stores.at(-1)?.storeId ?? ''
    if (stores.length < AT_ONCE) return
  }
}
