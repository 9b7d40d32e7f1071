import type { Queryable } from '../../data/sql.ts'
import { decimalNumber } from '../../lib/money/decimal.ts'
import { sumBalances } from './balances.queries.ts'
import { itemKeyOf } from './operations/ledger.ts'

/** Item in a namespace. */
export interface StockItem {
  readonly namespace: string
  readonly key: string
}

/** Stock of an item. `available` is `onHand - reserved`. */
export interface StockLevels {
  readonly onHand: number
  readonly reserved: number
  readonly available: number
}

/** Finds the stock of each item over all its batches, by item key. Items that were never in stock have zeros. */
export async function findStockLevels(sql: Queryable, projectId: string, items: readonly StockItem[]): Promise<Map<string, StockLevels>> {
  const stock = new Map(items.map((item) => [itemKeyOf(item), { onHand: 0, reserved: 0, available: 0 }]))
  if (items.length === 0) return stock
  for (const { onHand, reserved, ...item } of await sumBalances(sql, projectId, items)) {
    stock.set(itemKeyOf(item), {
      onHand: decimalNumber(onHand),
      reserved: decimalNumber(reserved),
      available: decimalNumber(onHand - reserved),
    })
  }
  return stock
}
