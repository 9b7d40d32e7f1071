import { enqueue } from '../../data/jobs.ts'
import type { Tx } from '../../data/sql.ts'
import { newId } from '../../lib/ids.ts'
import { invariant } from '../../lib/invariant.ts'
import { decimalsOf } from '../../lib/money/currency.ts'
import { type Decimal, decimal, decimalNumber, decimalText } from '../../lib/money/decimal.ts'
import { addMonths, buildPeriod, NOTICE_MS, OFFER_MS, type Period, proratedPrice } from './periods/periods.ts'
import { countOrders } from './plans/usage.queries.ts'
import { statusRules } from './statuses.ts'
import type { InvoiceLine } from './subscriptions.model.ts'
import {
  countInvoicedExtraOrders,
  findPlan,
  hasRenewalInvoice,
  type InvoiceRow,
  insertInvoice,
  type PlanRow,
  type SubscriptionRow,
  voidOpenInvoices,
} from './subscriptions.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'subscriptions.emailInvoice': { readonly storeId: string; readonly invoiceId: string }
  }
}

const timeText = (time: number) => new Date(time).toISOString()

/** Returns the current period of a subscription in epoch milliseconds; null if it has none. */
export const periodOf = ({ periodStart, periodEnd }: SubscriptionRow): Period | null =>
  periodStart === null || periodEnd === null ? null : { start: Date.parse(periodStart), end: Date.parse(periodEnd) }

const anchorOf = ({ anchor }: SubscriptionRow, { end }: Period) => (anchor === null ? end : Date.parse(anchor))

interface InvoiceRequest {
  readonly reason: InvoiceRow['reason']
  readonly plan: PlanRow
  readonly lines: readonly (Omit<InvoiceLine, 'plan' | 'amount'> & { readonly amount: Decimal; readonly plan?: string })[]
  readonly period?: Period
  readonly dueAt: number
  readonly voidAt?: number
}

/** Inserts an invoice. A negative sum becomes 0, because earlier payments are not refunded. */
async function createInvoice(tx: Tx, storeId: string, { reason, plan, lines, period, dueAt, voidAt }: InvoiceRequest): Promise<InvoiceRow> {
  const sum = lines.reduce((all, { amount }) => all + amount, 0n)
  return insertInvoice(tx, {
    storeId,
    id: newId('sin'),
    reason,
    plan: plan.code,
    rate: plan.price,
    currency: plan.currency,
    total: decimalText(sum > 0n ? sum : 0n),
    lines: lines.map((line) => ({ plan: plan.code, ...line, amount: decimalNumber(line.amount) })),
    periodStart: period ? timeText(period.start) : null,
    periodEnd: period ? timeText(period.end) : null,
    dueAt: timeText(dueAt),
    voidAt: voidAt === undefined ? null : timeText(voidAt),
  })
}

const monthLine = (plan: PlanRow) => ({ kind: 'month' as const, quantity: 1, amount: decimal(plan.price) })

/**
 * Invoices the first month of a plan, which starts when it is paid. The invoice is an offer that is valid for a day and replaces other
 * offers.
 */
export async function createStartInvoice(tx: Tx, { storeId }: SubscriptionRow, plan: PlanRow, now: number): Promise<InvoiceRow> {
  await voidOpenInvoices(tx, storeId, ['start', 'upgrade'])
  return createInvoice(tx, storeId, { reason: 'start', plan, lines: [monthLine(plan)], dueAt: now, voidAt: now + OFFER_MS })
}

/**
 * Invoices an upgrade for the rest of the period: the prorated price of the new plan less that of the paid plan. The invoice is an offer
 * that is valid for a day at most.
 */
export async function createUpgradeInvoice(tx: Tx, sub: SubscriptionRow, plan: PlanRow, now: number): Promise<InvoiceRow> {
  const period = invariant(periodOf(sub), 'The period of a plan that is paid')
  const decimals = decimalsOf(plan.currency)
  // A granted period can have any length, so its last month is the base for prorating.
  const baseMonth = anchorOf(sub, period) < period.end ? period : { start: addMonths(period.end, -1), end: period.end }
  const prorate = (price: Decimal) => proratedPrice(price, period, now, decimals, baseMonth)
  await voidOpenInvoices(tx, sub.storeId, ['start', 'upgrade'])
  return createInvoice(tx, sub.storeId, {
    reason: 'upgrade',
    plan,
    lines: [
      { kind: 'rest', quantity: 1, amount: prorate(decimal(plan.price)) },
      { kind: 'unused', plan: sub.plan, quantity: 1, amount: -prorate(decimal(sub.rate)) },
    ],
    period: { start: now, end: period.end },
    dueAt: now,
    voidAt: Math.min(period.end, now + OFFER_MS),
  })
}

/**
 * Invoices the next period, once, from 3 days before it starts, and enqueues an email to the owner. Does nothing for a cancelled
 * subscription or a free plan.
 */
export async function createRenewalInvoice(tx: Tx, sub: SubscriptionRow, now: number): Promise<void> {
  const period = periodOf(sub)
  if (!period || sub.cancels || !statusRules[sub.status].hasPlan || now < period.end - NOTICE_MS) return
  const plan = invariant(await findPlan(tx, sub.nextPlan ?? sub.plan), 'The plan of a subscription')
  if (decimal(plan.price) === 0n || (await hasRenewalInvoice(tx, sub.storeId, timeText(period.end)))) return
  const next = buildPeriod(period.end, anchorOf(sub, period))
  const { id } = await createInvoice(tx, sub.storeId, {
    reason: 'renewal',
    plan,
    lines: [monthLine(plan)],
    period: next,
    dueAt: period.end,
  })
  await enqueue(tx, 'subscriptions.emailInvoice', { storeId: sub.storeId, invoiceId: id })
}

/** Voids the renewal invoice and creates it again for the plan that applies now, if any. */
export async function recreateRenewalInvoice(tx: Tx, sub: SubscriptionRow, now: number): Promise<void> {
  await voidOpenInvoices(tx, sub.storeId, ['renewal'])
  await createRenewalInvoice(tx, sub, now)
}

/** Invoices orders beyond the plan's limit in the period until `until`. Orders that were invoiced before are not counted again. */
export async function createExtraOrdersInvoice(tx: Tx, sub: SubscriptionRow, until: number): Promise<void> {
  const period = periodOf(sub)
  const plan = invariant(await findPlan(tx, sub.plan), 'The plan of a subscription')
  const limit = plan.limits.ordersPerMonth ?? null
  const price = decimal(plan.extraOrderPrice ?? 0)
  if (!period || limit === null || price === 0n) return
  const countedPeriod = { start: period.start, end: Math.min(period.end, until) }
  const extraOrders =
    (await countOrders(tx, sub.storeId, countedPeriod)) - limit - (await countInvoicedExtraOrders(tx, sub.storeId, countedPeriod))
  if (extraOrders <= 0) return
  const line = { kind: 'extra_orders' as const, quantity: extraOrders, amount: price * BigInt(extraOrders) }
  await createInvoice(tx, sub.storeId, { reason: 'extra_orders', plan, lines: [line], period: countedPeriod, dueAt: countedPeriod.end })
}
