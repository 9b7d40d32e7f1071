import type { Queryable } from '../../data/sql.ts'
import { decimalText } from '../../lib/money/decimal.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { OrderRow } from '../orders.queries.ts'
import { codAmountOfNewPart } from '../parcels/collected-amounts.ts'
import { weightOfQuantities } from '../pricing/weight.queries.ts'
import { readDividedOrder, remainingOf } from './divided-order.ts'

/**
 * Reads the unsent rest of a divided order: its weight in kilograms, and the amount that its parcel would collect. Undefined when nothing
 * is left.
 */
export async function readRemaining(
  sql: Queryable,
  store: Pick<Store, 'projectId'>,
  order: OrderRow,
): Promise<{ weightKg: number; amount: number } | undefined> {
  if (!order.isDivided) return undefined
  const divided = await readDividedOrder(sql, store, order)
  const left = remainingOf(divided)
  if (left.length === 0) return undefined
  return { weightKg: await weightOfQuantities(sql, order, left), amount: Number(decimalText(codAmountOfNewPart(divided, left, null))) }
}
