import type { Queryable } from '../../data/sql.ts'
import { type Decimal, decimal } from '../../lib/money/decimal.ts'
import type { OrderKey } from '../orders.queries.ts'
import { type LineToReturn, listLinesToReturn } from './returns.queries.ts'

/** Sums quantities by inventory key; skips lines without one. */
export function byKey<L extends Pick<LineToReturn, 'inventoryKey'>>(lines: readonly L[], count: (line: L) => number): Map<string, Decimal> {
  const counts = new Map<string, Decimal>()
  for (const line of lines)
    if (line.inventoryKey !== null) counts.set(line.inventoryKey, (counts.get(line.inventoryKey) ?? 0n) + decimal(count(line)))
  return counts
}

/** Reads the returned quantities of an order, by inventory key. */
export const returnedByKey = async (sql: Queryable, order: OrderKey) =>
  byKey(await listLinesToReturn(sql, order), ({ returned }) => returned)
