import { withCustomPlan } from '../../data/keyset-page.ts'
import type { Sql } from '../../data/sql.ts'
import { phoneEndOf } from '../search-text.ts'
import { findCallerOrders } from './caller-orders.queries.ts'
import { CALLERS_MAX, type CallerOrder } from './callers.model.ts'

/** Finds the orders of a customer who calls, by the end of the phone number: those that no carrier has, newest first. */
export async function findCallers(sql: Sql, storeId: string, phone: string): Promise<CallerOrder[]> {
  const digits = phoneEndOf(phone)
  // What is left of `(0)123` would be the end of too many numbers.
  if (digits === null) return []
  const rows = await withCustomPlan(sql, (tx) => findCallerOrders(tx, storeId, digits, CALLERS_MAX))
  return rows.map((row) => ({ ...row, total: Number(row.total) }))
}
