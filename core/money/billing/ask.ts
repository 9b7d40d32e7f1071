import { enqueue } from '../../data/jobs.ts'
import type { Tx } from '../../data/sql.ts'
import { newId } from '../../lib/ids.ts'
import { invariant } from '../../lib/invariant.ts'
import { decimalsOf } from '../../lib/money/currency.ts'
import { type Decimal, decimal, decimalNumber, decimalText } from '../../lib/money/decimal.ts'
import { addMonths, NOTICE_MS, OFFER_MS, type Period, periodFrom, restOf } from './periods/periods.ts'
import { countOrders } from './plans/usage.queries.ts'
import { statuses } from './statuses.ts'
import type { InvoiceLine } from './subscriptions.model.ts'
import {
  countAskedExtra,
  findPlan,
  type InvoiceRow,
  insertInvoice,
  type PlanRow,
  type SubscriptionRow,
  voidOpen,
  wasRenewalAsked,
} from './subscriptions.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'subscriptions.tellDue': { readonly storeId: string; readonly invoiceId: string }
  }
}

const timeText = (time: number) => new Date(time).toISOString()

/** The period of a subscription that has one. */
export const periodOf = ({ periodStart, periodEnd }: SubscriptionRow): Period | null =>
  periodStart === null || periodEnd === null ? null : { start: Date.parse(periodStart), end: Date.parse(periodEnd) }

const anchorOf = ({ anchor }: SubscriptionRow, { end }: Period) => (anchor === null ? end : Date.parse(anchor))

interface Asked {
  readonly reason: InvoiceRow['reason']
  readonly plan: PlanRow
  readonly lines: readonly (Omit<InvoiceLine, 'plan' | 'amount'> & { readonly amount: Decimal; readonly plan?: string })[]
  readonly period?: Period
  readonly dueAt: number
  readonly voidAt?: number
}

/** Lines that come to less than nothing ask for nothing: what was paid before is not given back. */
async function ask(tx: Tx, storeId: string, { reason, plan, lines, period, dueAt, voidAt }: Asked): Promise<InvoiceRow> {
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

const month = (plan: PlanRow) => ({ kind: 'month' as const, quantity: 1, amount: decimal(plan.price) })

/** A first month, which begins when it is paid. */
export async function askStart(tx: Tx, { storeId }: SubscriptionRow, plan: PlanRow, now: number): Promise<InvoiceRow> {
  await voidOpen(tx, storeId, ['start', 'upgrade'])
  return ask(tx, storeId, { reason: 'start', plan, lines: [month(plan)], dueAt: now, voidAt: now + OFFER_MS })
}

/** The dearer plan for what is left of the period, less what is left of the one that was paid. */
export async function askUpgrade(tx: Tx, sub: SubscriptionRow, plan: PlanRow, now: number): Promise<InvoiceRow> {
  const period = invariant(periodOf(sub), 'The period of a plan that is paid')
  const decimals = decimalsOf(plan.currency)
  // One that was given may be of any length; all months follow it.
  const month = anchorOf(sub, period) < period.end ? period : { start: addMonths(period.end, -1), end: period.end }
  const rest = (price: Decimal) => restOf(price, period, now, decimals, month)
  await voidOpen(tx, sub.storeId, ['start', 'upgrade'])
  return ask(tx, sub.storeId, {
    reason: 'upgrade',
    plan,
    lines: [
      { kind: 'rest', quantity: 1, amount: rest(decimal(plan.price)) },
      { kind: 'unused', plan: sub.plan, quantity: 1, amount: -rest(decimal(sub.rate)) },
    ],
    period: { start: now, end: period.end },
    dueAt: now,
    voidAt: Math.min(period.end, now + OFFER_MS),
  })
}

/** The next period, from a few days before it begins, once; its owner is written to. */
export async function askRenewal(tx: Tx, sub: SubscriptionRow, now: number): Promise<void> {
  const period = periodOf(sub)
  if (!period || sub.cancels || !statuses[sub.status].hasPlan || now < period.end - NOTICE_MS) return
  const plan = invariant(await findPlan(tx, sub.nextPlan ?? sub.plan), 'A plan that is had')
  if (decimal(plan.price) === 0n || (await wasRenewalAsked(tx, sub.storeId, timeText(period.end)))) return
  const next = periodFrom(period.end, anchorOf(sub, period))
  const { id } = await ask(tx, sub.storeId, { reason: 'renewal', plan, lines: [month(plan)], period: next, dueAt: period.end })
  await enqueue(tx, 'subscriptions.tellDue', { storeId: sub.storeId, invoiceId: id })
}

/** What was asked for is another plan now, or none. */
export async function askRenewalAnew(tx: Tx, sub: SubscriptionRow, now: number): Promise<void> {
  await voidOpen(tx, sub.storeId, ['renewal'])
  await askRenewal(tx, sub, now)
}

/** Orders beyond the limit of the plan, until its period or the plan itself is over; each once, whatever plan came after. */
export async function askExtraOrders(tx: Tx, sub: SubscriptionRow, until: number): Promise<void> {
  const period = periodOf(sub)
  const plan = invariant(await findPlan(tx, sub.plan), 'A plan that is had')
  const limit = plan.limits.ordersPerMonth ?? null
  const price = decimal(plan.extraOrderPrice ?? 0)
  if (!period || limit === null || price === 0n) return
  const over = { start: period.start, end: Math.min(period.end, until) }
  const extra = (await countOrders(tx, sub.storeId, over)) - limit - (await countAskedExtra(tx, sub.storeId, over))
  if (extra <= 0) return
  const line = { kind: 'extra_orders' as const, quantity: extra, amount: price * BigInt(extra) }
  await ask(tx, sub.storeId, { reason: 'extra_orders', plan, lines: [line], period: over, dueAt: over.end })
}
