import type { Tx } from '../../data/sql.ts'
import { parseMoney } from '../../http/body/amount.ts'
import { MONEY_MAX } from '../../http/schema.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { newId } from '../../lib/ids.ts'
import { invariant } from '../../lib/invariant.ts'
import { decimal, decimalText } from '../../lib/money/decimal.ts'
import { billingErrors } from './billing.errors.ts'
import { startFreePlan } from './choose-plan.ts'
import { createExtraOrdersInvoice, createRenewalInvoice } from './create-invoices.ts'
import { payDueInvoices } from './periods/pay-invoices.ts'
import { lockStoreSubscription, saveSubscription } from './periods/save-subscription.ts'
import { statusRules } from './statuses.ts'
import type { GivenSubscription } from './subscriptions.model.ts'
import { findPlan, insertCredit, listCredits, type PlanRow, type SubscriptionRow, voidOpenInvoices } from './subscriptions.queries.ts'

const CREDIT_MAX = decimal(MONEY_MAX)

/**
 * Grants a store a plan that is free until `periodEnd`, or without end, and optionally adds a credit. For platform administrators. Voids
 * open invoices. Repeating the call adds the credit again. Throws `not_found`, `invalid_request`.
 */
export async function grantSubscription(tx: Tx, storeId: string, given: GivenSubscription, now: number): Promise<SubscriptionRow> {
  const sub = await lockStoreSubscription(tx, storeId)
  const plan = await findPlan(tx, given.plan)
  if (!plan) throw notFound('The plan')
  const end = given.periodEnd ? Date.parse(given.periodEnd) : null
  if (end !== null && end <= now) throw billingErrors.expiryInPast({ field: ['periodEnd'] })
  if (given.credit) await addCredit(tx, storeId, given.credit)
  if (statusRules[sub.status].hasPlan && sub.status !== 'past_due') await createExtraOrdersInvoice(tx, sub, now)
  await voidOpenInvoices(tx, storeId, ['start', 'upgrade', 'renewal'])
  // Any other status becomes active first.
  const activated = sub.status === 'trialing' || sub.status === 'active' ? sub : await saveSubscription(tx, sub, { status: 'active' }, now)
  const started = end === null ? await startFreePlan(tx, activated, plan, now) : await startGrantedPeriod(tx, activated, plan, now, end)
  return payDueInvoices(tx, started, now)
}

/** Adds a credit, which may be negative. Throws `invalid_request` if the total would exceed the maximum amount. */
async function addCredit(tx: Tx, storeId: string, { amount: given, currency }: NonNullable<GivenSubscription['credit']>) {
  const id = newId('scr')
  const added = parseMoney(given, ['credit', 'amount'], currency)
  const present = decimal((await listCredits(tx, storeId)).find((credit) => credit.currency === currency)?.amount ?? 0)
  const sum = present + added
  if (sum > CREDIT_MAX || sum < -CREDIT_MAX)
    throw billingErrors.creditTooHigh({ currency, moneyMax: MONEY_MAX, present: decimalText(present) }, { field: ['credit', 'amount'] })
  return insertCredit(tx, {
    storeId,
    id,
    kind: 'admin',
    amount: decimalText(added),
    currency,
    about: id,
  })
}

async function startGrantedPeriod(tx: Tx, sub: SubscriptionRow, plan: PlanRow, now: number, end: number): Promise<SubscriptionRow> {
  const [periodStart, periodEnd] = [now, end].map((time) => new Date(time).toISOString())
  const period = {
    periodStart: invariant(periodStart, 'A start'),
    periodEnd: invariant(periodEnd, 'An end'),
    anchor: invariant(periodEnd, 'An end'),
  }
  const free = { rate: '0', nextPlan: null, cancels: false, status: 'active' as const }
  const saved = await saveSubscription(tx, sub, { ...free, ...period, plan: plan.code, currency: plan.currency }, now)
  await createRenewalInvoice(tx, saved, now)
  return saved
}
