import type { Queryable } from '../../data/sql.ts'
import { type Decimal, decimal } from '../../lib/money/decimal.ts'
import type { OrderKey } from '../orders.queries.ts'
import { listLinesToReturn, type ReturnableLine } from './returns.queries.ts'

/** Sums quantities by inventory key; skips lines without one. */
export function quantitiesByKey<L extends Pick<ReturnableLine, 'inventoryKey'>>(
  lines: readonly L[],
  count: (line: L) => number,
): Map<string, Decimal> {
  const counts = new Map<string, Decimal>()
  for (const line of lines)
    if (line.inventoryKey !== null) counts.set(line.inventoryKey, (counts.get(line.inventoryKey) ?? 0n) + decimal(count(line)))
  return counts
}

/** Reads the returned quantities of an order, by inventory key. */
export const readReturnedByKey = async (sql: Queryable, order: OrderKey) =>
  quantitiesByKey(await listLinesToReturn(sql, order), ({ returned }) => returned)
