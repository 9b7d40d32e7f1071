import { type Sql, transaction } from '../../data/sql.ts'
import { toRowError } from '../../http/errors/row-error.ts'
import { mapConcurrent } from '../../lib/async/map-concurrent.ts'
import type { FieldPath } from '../../lib/errors/domain-error.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { orderErrors } from '../orders.errors.ts'
import type { Order } from '../orders.model.ts'
import type { OrderChanges, OrderRowResult } from './batch-update.model.ts'
import { changeOrder } from './change.ts'

/** Maximum of concurrent transactions; other requests need connections too. */
const AT_ONCE = 4

/** Returns the result of one row of a batch. An error becomes part of the result, so that the other rows go on. */
export async function toOrderRowResult(id: string, work: Promise<Order>): Promise<OrderRowResult> {
  try {
    return { outcome: 'changed', id, order: await work }
  } catch (error) {
    return { outcome: 'refused', id, error: toRowError(error) }
  }
}

/** Throws `invalid_request` when an id appears twice in a batch. */
export function assertUniqueIds(ids: readonly string[], fieldOf: (at: number) => FieldPath): void {
  const at = ids.findIndex((id, place) => ids.indexOf(id) !== place)
  if (at >= 0) throw orderErrors.orderRepeated({ field: fieldOf(at) })
}

/** Changes many orders, each in a transaction of its own, with `changeOrder`. Returns one result per order. */
export async function changeOrders(sql: Sql, store: Store, { orders }: OrderChanges): Promise<OrderRowResult[]> {
  assertUniqueIds(
    orders.map(({ id }) => id),
    (at) => ['orders', at, 'id'],
  )
  return mapConcurrent(orders, AT_ONCE, ({ id, ...change }) =>
    toOrderRowResult(
      id,
      transaction(sql, async (tx) => {
        if (Object.keys(change).length === 0) throw orderErrors.nothingToChange({ field: ['orders'] })
        return changeOrder(tx, store, id, change)
      }),
    ),
  )
}
