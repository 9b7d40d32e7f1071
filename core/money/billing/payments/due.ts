import type { Queryable } from '../../../data/sql.ts'
import { decimal } from '../../../lib/money/decimal.ts'
import type { AmountDue } from '../../payments/start/claim-payment.ts'
import { listCredits, listOpenInvoices } from '../subscriptions.queries.ts'

/** Returns what a store owes less its credit, in the currency of the invoice that is due first; null if nothing. */
export async function findAmountDue(sql: Queryable, storeId: string, now: number): Promise<AmountDue | null> {
  const [open, credits] = [await listOpenInvoices(sql, storeId, now), await listCredits(sql, storeId)]
  for (const currency of new Set(open.map((invoice) => invoice.currency))) {
    const asked = open.filter((invoice) => invoice.currency === currency).reduce((sum, { total }) => sum + decimal(total), 0n)
    const amount = asked - decimal(credits.find((credit) => credit.currency === currency)?.amount ?? 0)
    if (amount > 0n) return { amount, currency }
  }
  return null
}
