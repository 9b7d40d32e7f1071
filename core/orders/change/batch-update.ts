import { type Sql, transaction } from '../../data/sql.ts'
import { invalidValue } from '../../http/errors/errors.ts'
import { mapConcurrent } from '../../lib/async/map-concurrent.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { rowErrorOf } from '../create/row-error.ts'
import type { Order } from '../orders.model.ts'
import type { OrderChanges, OrderRowResult } from './batch-update.model.ts'
import { changeOrder } from './change.ts'

/** Others want connections too. */
const AT_ONCE = 4

/** What came of one row: a refusal is told of it alone. */
export async function rowResult(id: string, work: Promise<Order>): Promise<OrderRowResult> {
  try {
    return { outcome: 'changed', id, order: await work }
  } catch (error) {
    return { outcome: 'refused', id, error: rowErrorOf(error) }
  }
}

/** Throws `invalid_request` where an order is named twice: which of both would hold is for the caller to say. */
export function assertOnce(ids: readonly string[], pathOf: (at: number) => string): void {
  const at = ids.findIndex((id, place) => ids.indexOf(id) !== place)
  if (at >= 0) throw invalidValue(pathOf(at), 'This order is named twice.')
}

/** Changes many orders, each for itself and in a transaction of its own, as `changeOrder` changes one. */
export async function changeOrders(sql: Sql, store: Store, { orders }: OrderChanges): Promise<OrderRowResult[]> {
  assertOnce(
    orders.map(({ id }) => id),
    (at) => `/body/orders/${at}/id`,
  )
  return mapConcurrent(orders, AT_ONCE, ({ id, ...change }) =>
    rowResult(
      id,
      transaction(sql, async (tx) => {
        if (Object.keys(change).length === 0) throw invalidValue('/body/orders', 'Say what is to change.')
        return changeOrder(tx, store, id, change)
      }),
    ),
  )
}
