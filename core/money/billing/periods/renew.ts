import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { invariant } from '../../../lib/invariant.ts'
import { decimal } from '../../../lib/money/decimal.ts'
import { endSubscription } from '../cancel.ts'
import { startFreePlan } from '../choose-plan.ts'
import { createExtraOrdersInvoice, createRenewalInvoice, periodOf } from '../create-invoices.ts'
import { statusRules } from '../statuses.ts'
import { findPlan, listDueSubscriptions, lockSubscription, type SubscriptionRow } from '../subscriptions.queries.ts'
import { payDueInvoices } from './pay-invoices.ts'
import { GRACE_MS } from './periods.ts'
import { saveSubscription } from './save-subscription.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'subscriptions.renewDue': Record<string, unknown>
  }
}

const BATCH = 200
/** Maximum number of periods of one store per run; the rest follows in the next run. */
const PERIODS_MAX = 24

/**
 * Processes subscriptions that are due: creates renewal invoices, ends periods, and expires unpaid subscriptions. A failure of one does not
 * stop the others.
 */
export async function advanceDueSubscriptions({ sql, log }: Pick<Context, 'sql' | 'log'>, now = Date.now()): Promise<void> {
  for (let after = ''; ; ) {
    const due = await listDueSubscriptions(sql, now, after, BATCH)
    for (const { storeId } of due)
      await transaction(sql, (tx) => advanceSubscription(tx, storeId, now)).catch((err) =>
        log.error({ err, storeId }, 'processing a subscription failed'),
      )
    after = due.at(-1)?.storeId ?? ''
    if (due.length < BATCH) return
  }
}

/** Advances the subscription of a store to a moment in time, period by period. */
export async function advanceSubscription(tx: Tx, storeId: string, now: number): Promise<SubscriptionRow> {
  let sub = await lockSubscription(tx, storeId)
  for (let periods = 0; periods < PERIODS_MAX; periods += 1) {
    const period = periodOf(sub)
    if (!period || !statusRules[sub.status].hasPlan) return sub
    if (now < period.end) {
      await createRenewalInvoice(tx, sub, now)
      return saveSubscription(tx, sub, {}, now)
    }
    const next = await endPeriod(tx, sub, period.end, now)
    if (next.periodEnd === sub.periodEnd) return next
    sub = next
  }
  return sub
}

async function endPeriod(tx: Tx, sub: SubscriptionRow, end: number, now: number): Promise<SubscriptionRow> {
  if (sub.status === 'past_due') return now < end + GRACE_MS ? saveSubscription(tx, sub, {}, now) : endSubscription(tx, sub, 'expired', now)
  if (sub.cancels) return endSubscription(tx, sub, 'cancelled', now)
  const plan = invariant(await findPlan(tx, sub.nextPlan ?? sub.plan), 'The plan of a subscription')
  if (decimal(plan.price) === 0n) {
    await createExtraOrdersInvoice(tx, sub, end)
    return startFreePlan(tx, sub, plan, now)
  }
  await createRenewalInvoice(tx, sub, now)
  const settled = await payDueInvoices(tx, sub, now)
  if (settled.periodEnd !== sub.periodEnd) return settled
  const late = await saveSubscription(tx, sub, { status: 'past_due' }, now)
  return now < end + GRACE_MS ? late : endSubscription(tx, late, 'expired', now)
}
