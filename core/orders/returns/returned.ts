import type { Queryable } from '../../data/sql.ts'
import { type Decimal, decimal } from '../../lib/money/decimal.ts'
import type { OrderKey } from '../orders.queries.ts'
import { type LineToReturn, listLinesToReturn } from './returns.queries.ts'

/** So many of each item of the ledger, by its key. */
export function byKey<L extends Pick<LineToReturn, 'inventoryKey'>>(lines: readonly L[], count: (line: L) => number): Map<string, Decimal> {
  const counts = new Map<string, Decimal>()
  for (const line of lines)
    if (line.inventoryKey !== null) counts.set(line.inventoryKey, (counts.get(line.inventoryKey) ?? 0n) + decimal(count(line)))
  return counts
}

/** What of an order's goods came back by hand already. */
export const returnedByKey = async (sql: Queryable, order: OrderKey) =>
  byKey(await listLinesToReturn(sql, order), ({ returned }) => returned)
