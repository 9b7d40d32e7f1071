import type { Tx } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import { type Decimal, decimal, decimalText } from '../../../lib/money/decimal.ts'
import { createExtraOrdersInvoice, periodOf, recreateRenewalInvoice } from '../create-invoices.ts'
import type { InvoiceReason } from '../statuses.ts'
import {
  type InvoiceRow,
  insertCredit,
  listCredits,
  listOpenInvoices,
  markInvoicePaid,
  type SubscriptionRow,
} from '../subscriptions.queries.ts'
import { buildPeriod } from './periods.ts'
import { saveSubscription } from './save-subscription.ts'

type ApplyInvoice = (tx: Tx, sub: SubscriptionRow, invoice: InvoiceRow, now: number) => Promise<SubscriptionRow>

/** Effects of a paid invoice, by its reason. */
const applyInvoice: Readonly<Record<InvoiceReason, ApplyInvoice>> = {
  start: (tx, sub, invoice, now) => {
    const { start, end } = buildPeriod(now)
    return startPeriod(tx, sub, invoice, [new Date(start).toISOString(), new Date(end).toISOString()], now)
  },
  renewal: (tx, sub, invoice, now) => startPeriod(tx, sub, invoice, [invoice.periodStart, invoice.periodEnd], now),
  async upgrade(tx, sub, invoice, now) {
    const { plan, rate, currency } = invoice
    // Invoices extra orders by the old plan's limit, before the upgrade raises it.
    await createExtraOrdersInvoice(tx, sub, now)
    const upgraded = await saveSubscription(tx, sub, { plan, rate, currency, nextPlan: null, cancels: false }, now)
    await recreateRenewalInvoice(tx, upgraded, now)
    return upgraded
  },
  extra_orders: async (_, sub) => sub,
}

const startPeriod = (
  tx: Tx,
  sub: SubscriptionRow,
  { plan, rate, currency, reason }: InvoiceRow,
  period: (string | null)[],
  now: number,
) => {
  const [periodStart = null, periodEnd = null] = period
  const anchor = reason === 'start' ? { anchor: periodStart, cancels: false } : {}
  return saveSubscription(tx, sub, { plan, rate, currency, status: 'active', nextPlan: null, periodStart, periodEnd, ...anchor }, now)
}

/**
 * Pays due invoices from the store's credit, earliest due date first, and applies their effects. Requires the lock of the subscription, so
 * that each invoice is paid once. `since` also pays offers that were valid then.
 */
export async function payDueInvoices(tx: Tx, sub: SubscriptionRow, now: number, since = now): Promise<SubscriptionRow> {
  const { storeId } = sub
  const period = periodOf(sub)
  // Invoices extra orders of a period that has ended before its renewal replaces it.
  if (period && period.end <= now && sub.status !== 'past_due') await createExtraOrdersInvoice(tx, sub, period.end)
  const credits = new Map<string, Decimal>((await listCredits(tx, storeId)).map(({ currency, amount }) => [currency, decimal(amount)]))
  let current = sub
  for (const invoice of await listOpenInvoices(tx, storeId, now, since)) {
    const { id, currency, total } = invoice
    const left = (credits.get(currency) ?? 0n) - decimal(total)
    if (Date.parse(invoice.dueAt) > now || left < 0n) continue
    credits.set(currency, left)
    await markInvoicePaid(tx, { storeId, id }, now)
    await insertCredit(tx, { storeId, id: newId('scr'), kind: 'invoice', amount: decimalText(-decimal(total)), currency, about: id })
    current = await applyInvoice[invoice.reason](tx, current, invoice, now)
  }
  return current
}
