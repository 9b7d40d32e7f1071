import type { Tx } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import { type Decimal, decimal, decimalText } from '../../../lib/money/decimal.ts'
import { askExtraOrders, askRenewalAnew, periodOf } from '../ask.ts'
import type { InvoiceReason } from '../statuses.ts'
import { type InvoiceRow, insertCredit, listCredits, listOpen, markPaid, type SubscriptionRow } from '../subscriptions.queries.ts'
import { keep } from './keep.ts'
import { periodFrom } from './periods.ts'

type Apply = (tx: Tx, sub: SubscriptionRow, invoice: InvoiceRow, now: number) => Promise<SubscriptionRow>

/** What comes of an invoice that is paid. */
const apply: Readonly<Record<InvoiceReason, Apply>> = {
  start: (tx, sub, invoice, now) => {
    const { start, end } = periodFrom(now)
    return begin(tx, sub, invoice, [new Date(start).toISOString(), new Date(end).toISOString()], now)
  },
  renewal: (tx, sub, invoice, now) => begin(tx, sub, invoice, [invoice.periodStart, invoice.periodEnd], now),
  async upgrade(tx, sub, invoice, now) {
    const { plan, rate, currency } = invoice
    // However much the dearer plan allows, what went beyond the one before is owed.
    await askExtraOrders(tx, sub, now)
    const upgraded = await keep(tx, sub, { plan, rate, currency, nextPlan: null, cancels: false }, now)
    await askRenewalAnew(tx, upgraded, now)
    return upgraded
  },
  extra_orders: async (_, sub) => sub,
}

const begin = (tx: Tx, sub: SubscriptionRow, { plan, rate, currency, reason }: InvoiceRow, period: (string | null)[], now: number) => {
  const [periodStart = null, periodEnd = null] = period
  const anchor = reason === 'start' ? { anchor: periodStart, cancels: false } : {}
  return keep(tx, sub, { plan, rate, currency, status: 'active', nextPlan: null, periodStart, periodEnd, ...anchor }, now)
}

/**
 * Pays what is due from what the store has to its credit, what is due first first, and has it come to pass. The subscription is held: however
 * many payments come at once, each invoice is paid once. `since`: what was offered then is paid, though nobody is offered it any more.
 */
export async function settle(tx: Tx, sub: SubscriptionRow, now: number, since = now): Promise<SubscriptionRow> {
  const { storeId } = sub
  const period = periodOf(sub)
  // Money may come before anybody saw that the period is over: with the next one what it was is forgotten.
  if (period && period.end <= now && sub.status !== 'past_due') await askExtraOrders(tx, sub, period.end)
  const credits = new Map<string, Decimal>((await listCredits(tx, storeId)).map(({ currency, amount }) => [currency, decimal(amount)]))
  let current = sub
  for (const invoice of await listOpen(tx, storeId, now, since)) {
    const { id, currency, total } = invoice
    const left = (credits.get(currency) ?? 0n) - decimal(total)
    if (Date.parse(invoice.dueAt) > now || left < 0n) continue
    credits.set(currency, left)
    await markPaid(tx, id, now)
    await insertCredit(tx, { storeId, id: newId('scr'), kind: 'invoice', amount: decimalText(-decimal(total)), currency, about: id })
    current = await apply[invoice.reason](tx, current, invoice, now)
  }
  return current
}
