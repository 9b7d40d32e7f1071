import { type Sql, type Tx, transaction } from '../../data/sql.ts'
import { lockOrderWithParcels, type OrderRef } from '../change/lock-order.ts'
import { orderErrors } from '../orders.errors.ts'
import { findLastChange } from './last-change.queries.ts'

/**
 * Changes an order in one transaction, if it still has the version that the caller has read. Null accepts every version. Throws
 * `version_conflict`, and what `change` throws.
 */
export function changeIfVersion<V>(sql: Sql, ref: OrderRef, expected: number | null, change: (tx: Tx) => Promise<V>): Promise<V> {
  return transaction(sql, async (tx) => {
    await assertOrderVersion(tx, ref, expected)
    return change(tx)
  })
}

/**
 * Locks an order, and throws `version_conflict` if it has another version than the caller has read. The details say who changed it, and
 * when. Does nothing if the caller names no version.
 */
async function assertOrderVersion(tx: Tx, ref: OrderRef, expected: number | null): Promise<void> {
  if (expected === null) return
  const { order } = await lockOrderWithParcels(tx, ref)
  if (order.revision === expected) return
  const last = await findLastChange(tx, ref)
  const [name, at] = [last?.name ?? null, last?.at ?? order.updatedAt]
  const message = `${name ?? 'Somebody'} changed the order at ${at}.`
  const values = {
    version: String(order.revision),
    at,
    ...(last && { kind: last.kind }),
    ...(last?.id && { id: last.id }),
    ...(name !== null && { name }),
  }
  throw orderErrors.versionDiffers(
    { expected, version: order.revision },
    { issues: [{ field: ['headers', 'if-match'], message, values, isOutside: true }] },
  )
}
