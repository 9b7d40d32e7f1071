import type { Tx } from '../../data/sql.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { invariant } from '../../lib/invariant.ts'
import { decimal } from '../../lib/money/decimal.ts'
import { billingErrors } from './billing.errors.ts'
import { createStartInvoice, createUpgradeInvoice, periodOf, recreateRenewalInvoice } from './create-invoices.ts'
import { payDueInvoices } from './periods/pay-invoices.ts'
import { lockStoreSubscription, saveSubscription } from './periods/save-subscription.ts'
import { statusRules } from './statuses.ts'
import { findPlan, type PlanRow, type SubscriptionRow, voidOpenInvoices } from './subscriptions.queries.ts'

/** Returns when a store would get a plan: it has it already, now (once it is paid), or from the next period on. */
export function planChangeTime(sub: SubscriptionRow, current: PlanRow, plan: PlanRow): 'current' | 'now' | 'at_period_end' {
  if (!statusRules[sub.status].hasPlan) return 'now'
  if (plan.code === sub.plan) return 'current'
  if (sub.periodEnd === null || sub.status === 'trialing') return 'now'
  return isMoreExpensive(sub, current, plan) ? 'now' : 'at_period_end'
}

/** Compares prices only if both plans still have the currency that was paid. */
const isMoreExpensive = ({ currency }: SubscriptionRow, current: PlanRow, plan: PlanRow) =>
  plan.currency === currency && current.currency === currency && decimal(plan.price) > decimal(current.price)

/** Options of {@link choosePlan}. */
export interface ChoosePlanOptions {
  readonly now: number
  /** Allows only upgrades. */
  readonly upgrades?: true
  /** Skips the trial, because the plan is paid already. */
  readonly withoutTrial?: true
}

/**
 * Changes the plan of a store. A more expensive plan applies once it is paid, prorated to the end of the period; any other from the next
 * period on. Choosing the current plan undoes a cancellation. Pays from the store's credit if it suffices. Throws `not_found` for a plan
 * that is not offered, `payment_required` when past due, and `conflict` for an upgrade that is none.
 */
export async function choosePlan(
  tx: Tx,
  storeId: string,
  code: string,
  { now, upgrades, withoutTrial }: ChoosePlanOptions,
): Promise<SubscriptionRow> {
  const sub = await lockStoreSubscription(tx, storeId)
  const [current, plan] = [invariant(await findPlan(tx, sub.plan), 'The plan of a subscription'), await findPlan(tx, code)]
  const change = plan && planChangeTime(sub, current, plan)
  if (!plan || !(plan.available || change === 'current')) throw notFound('The plan')
  if (change === 'current') return resumePlan(tx, sub, now)
  if (sub.status === 'past_due') throw billingErrors.invoicesUnpaid()
  if (upgrades && change === 'at_period_end') throw billingErrors.notAnUpgrade()
  if (change === 'at_period_end') return scheduleNextPlan(tx, sub, plan.code, now)
  if (sub.status === 'trialing') return changeTrialPlan(tx, sub, plan, now)
  if (!periodOf(sub) || !statusRules[sub.status].hasPlan) return startPlan(tx, sub, plan, now, { withoutTrial })
  await createUpgradeInvoice(tx, sub, plan, now)
  return payDueInvoices(tx, sub, now)
}

/** Undoes a scheduled cancellation or change of plan. */
async function resumePlan(tx: Tx, sub: SubscriptionRow, now: number): Promise<SubscriptionRow> {
  await voidOpenInvoices(tx, sub.storeId, ['start', 'upgrade'])
  if (!sub.cancels && sub.nextPlan === null) return sub
  const saved = await saveSubscription(tx, sub, { cancels: false, nextPlan: null }, now)
  await recreateRenewalInvoice(tx, saved, now)
  return saved
}

async function scheduleNextPlan(tx: Tx, sub: SubscriptionRow, nextPlan: string, now: number): Promise<SubscriptionRow> {
  await voidOpenInvoices(tx, sub.storeId, ['start', 'upgrade'])
  const saved = await saveSubscription(tx, sub, { nextPlan, cancels: false }, now)
  await recreateRenewalInvoice(tx, saved, now)
  return saved
}

/** Changes the plan of a trial, which continues to its end. */
async function changeTrialPlan(tx: Tx, sub: SubscriptionRow, plan: PlanRow, now: number): Promise<SubscriptionRow> {
  if (decimal(plan.price) === 0n) return startFreePlan(tx, sub, plan, now)
  const saved = await saveSubscription(tx, sub, { plan: plan.code, currency: plan.currency, nextPlan: null, cancels: false }, now)
  await recreateRenewalInvoice(tx, saved, now)
  return saved
}

/** Starts a free plan, which has no end and no invoices. */
export async function startFreePlan(tx: Tx, sub: SubscriptionRow, plan: PlanRow, now: number): Promise<SubscriptionRow> {
  await voidOpenInvoices(tx, sub.storeId, ['start', 'upgrade', 'renewal'])
  const noPeriod = { periodStart: null, periodEnd: null, anchor: null, rate: '0', nextPlan: null, cancels: false }
  return saveSubscription(tx, sub, { ...noPeriod, plan: plan.code, currency: plan.currency, status: 'active' }, now)
}

async function startPlan(
  tx: Tx,
  sub: SubscriptionRow,
  plan: PlanRow,
  now: number,
  { withoutTrial }: { readonly withoutTrial: true | undefined },
): Promise<SubscriptionRow> {
  if (decimal(plan.price) === 0n) return startFreePlan(tx, sub, plan, now)
  if (withoutTrial || sub.trialUsed || plan.trialDays === 0) {
    await createStartInvoice(tx, sub, plan, now)
    return payDueInvoices(tx, sub, now)
  }
  await voidOpenInvoices(tx, sub.storeId, ['start', 'upgrade', 'renewal'])
  const [periodStart, periodEnd] = [now, now + plan.trialDays * DAY_MS].map((time) => new Date(time).toISOString())
  const trial = { status: 'trialing', trialUsed: true, rate: '0', nextPlan: null, cancels: false } as const
  const period = { periodStart: periodStart ?? null, periodEnd: periodEnd ?? null, anchor: periodEnd ?? null }
  const saved = await saveSubscription(tx, sub, { ...trial, ...period, plan: plan.code, currency: plan.currency }, now)
  await recreateRenewalInvoice(tx, saved, now)
  return saved
}
