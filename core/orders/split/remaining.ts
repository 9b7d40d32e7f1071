import type { Queryable } from '../../data/sql.ts'
import { decimalText } from '../../lib/money/decimal.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { OrderRow } from '../orders.queries.ts'
import { newAmount } from '../parcels/collect.ts'
import { weightOfSome } from '../pricing/weight.queries.ts'
import { leftOf, readDivided } from './divided.ts'

/**
 * Reads the unsent rest of a divided order: its weight in kilograms, and the amount that its parcel would collect. Undefined when nothing
 * is left.
 */
export async function restOf(
  sql: Queryable,
  store: Pick<Store, 'projectId'>,
  order: OrderRow,
): Promise<{ weightKg: number; amount: number } | undefined> {
  if (!order.isDivided) return undefined
  const divided = await readDivided(sql, store, order)
  const left = leftOf(divided)
  if (left.length === 0) return undefined
  return { weightKg: await weightOfSome(sql, order, left), amount: Number(decimalText(newAmount(divided, left, null))) }
}
