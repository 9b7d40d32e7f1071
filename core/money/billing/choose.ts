import type { Tx } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors/errors.ts'
import { invariant } from '../../lib/invariant.ts'
import { decimal } from '../../lib/money/decimal.ts'
import { askRenewalAnew, askStart, askUpgrade, periodOf } from './ask.ts'
import { holdSubscription } from './hold.ts'
import { keep } from './periods/keep.ts'
import { settle } from './periods/settle.ts'
import { statuses } from './statuses.ts'
import { findPlan, type PlanRow, type SubscriptionRow, voidOpen } from './subscriptions.queries.ts'

const DAY_MS = 86_400_000

/** When a plan would be that of a store which has `current`: it is, from now on (once it is paid), or from the next period on. */
export function changeTo(sub: SubscriptionRow, current: PlanRow, plan: PlanRow): 'current' | 'now' | 'at_period_end' {
  if (!statuses[sub.status].hasPlan) return 'now'
  if (plan.code === sub.plan) return 'current'
  if (sub.periodEnd === null || sub.status === 'trialing') return 'now'
  return isDearer(sub, current, plan) ? 'now' : 'at_period_end'
}

/** In the currency of what was paid too, which the plan may have left since. */
const isDearer = ({ currency }: SubscriptionRow, current: PlanRow, plan: PlanRow) =>
  plan.currency === currency && current.currency === currency && decimal(plan.price) > decimal(current.price)

export interface Choosing {
  readonly now: number
  /** Only to a dearer plan. */
  readonly upgrades?: true
  /** It was paid for already. */
  readonly withoutTrial?: true
}

/**
 * The store wants this plan: a dearer one is had at once, for what is left of the period, any other from the next period on; what had
 * been cancelled goes on. What it costs is asked for, and paid from the store's credit where that is enough. Throws `not_found` for a plan
 * that is not offered, `payment_required` while dues of a period that is over are open, `conflict` for an upgrade to what is none.
 */
export async function choosePlan(
  tx: Tx,
  storeId: string,
  code: string,
  { now, upgrades, withoutTrial }: Choosing,
): Promise<SubscriptionRow> {
  const sub = await holdSubscription(tx, storeId)
  const [current, plan] = [invariant(await findPlan(tx, sub.plan), 'A plan that is had'), await findPlan(tx, code)]
  const change = plan && changeTo(sub, current, plan)
  if (!plan || !(plan.available || change === 'current')) throw notFound('The plan')
  if (change === 'current') return goOn(tx, sub, now)
  if (sub.status === 'past_due') throw paymentRequired()
  if (upgrades && change === 'at_period_end')
    throw new ApiError(
      'conflict',
      'This plan is no upgrade: choose it with POST …/integrations/subscription/subscribe, from the next period on.',
    )
  if (change === 'at_period_end') return chooseNext(tx, sub, plan.code, now)
  if (sub.status === 'trialing') return tryOther(tx, sub, plan, now)
  if (!periodOf(sub) || !statuses[sub.status].hasPlan) return start(tx, sub, plan, now, withoutTrial)
  await askUpgrade(tx, sub, plan, now)
  return settle(tx, sub, now)
}

export const paymentRequired = () =>
  new ApiError('payment_required', 'Dues of the subscription are open: pay them first, with POST /v1/stores/{storeId}/subscription/payDue.')

/** What was to end, or to be another plan, goes on as it is. */
async function goOn(tx: Tx, sub: SubscriptionRow, now: number): Promise<SubscriptionRow> {
  await voidOpen(tx, sub.storeId, ['start', 'upgrade'])
  if (!sub.cancels && sub.nextPlan === null) return sub
  const kept = await keep(tx, sub, { cancels: false, nextPlan: null }, now)
  await askRenewalAnew(tx, kept, now)
  return kept
}

async function chooseNext(tx: Tx, sub: SubscriptionRow, nextPlan: string, now: number): Promise<SubscriptionRow> {
  await voidOpen(tx, sub.storeId, ['start', 'upgrade'])
  const kept = await keep(tx, sub, { nextPlan, cancels: false }, now)
  await askRenewalAnew(tx, kept, now)
  return kept
}

/** Nothing was paid for a trial: it goes on to its end with the other plan. */
async function tryOther(tx: Tx, sub: SubscriptionRow, plan: PlanRow, now: number): Promise<SubscriptionRow> {
  if (decimal(plan.price) === 0n) return beFree(tx, sub, plan, now)
  const kept = await keep(tx, sub, { plan: plan.code, currency: plan.currency, nextPlan: null, cancels: false }, now)
  await askRenewalAnew(tx, kept, now)
  return kept
}

/** Nothing is asked for this plan, and it has no end. */
export async function beFree(tx: Tx, sub: SubscriptionRow, plan: PlanRow, now: number): Promise<SubscriptionRow> {
  await voidOpen(tx, sub.storeId, ['start', 'upgrade', 'renewal'])
  const endless = { periodStart: null, periodEnd: null, anchor: null, rate: '0', nextPlan: null, cancels: false }
  return keep(tx, sub, { ...endless, plan: plan.code, currency: plan.currency, status: 'active' }, now)
}

async function start(tx: Tx, sub: SubscriptionRow, plan: PlanRow, now: number, withoutTrial = false): Promise<SubscriptionRow> {
  if (decimal(plan.price) === 0n) return beFree(tx, sub, plan, now)
  if (withoutTrial || sub.trialUsed || plan.trialDays === 0) {
    await askStart(tx, sub, plan, now)
    return settle(tx, sub, now)
  }
  await voidOpen(tx, sub.storeId, ['start', 'upgrade', 'renewal'])
  const [periodStart, periodEnd] = [now, now + plan.trialDays * DAY_MS].map((time) => new Date(time).toISOString())
  const trial = { status: 'trialing', trialUsed: true, rate: '0', nextPlan: null, cancels: false } as const
  const period = { periodStart: periodStart ?? null, periodEnd: periodEnd ?? null, anchor: periodEnd ?? null }
  const kept = await keep(tx, sub, { ...trial, ...period, plan: plan.code, currency: plan.currency }, now)
  await askRenewalAnew(tx, kept, now)
  return kept
}
