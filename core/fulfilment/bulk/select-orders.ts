import type { Sql } from '../../data/sql.ts'
import { yieldEvery } from '../../lib/async/yield-every.ts'
import { listOrders } from '../../orders/list.ts'
import type { OrderStatus } from '../../orders/statuses.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { bulkErrors } from './bulk.errors.ts'
import type { BulkFilter } from './bulk.model.ts'
import { findOrderStates } from './rows.queries.ts'

/** Order that a job is to act on. `status` is null for an id without an order; the job then records that it was not found. */
export interface SelectedOrder {
  readonly id: string
  readonly status: OrderStatus | null
}

const ORDERS_PER_PAGE = 1_000

/** Selects the orders of a store that match a filter now, newest first. Throws `invalid_request` when they are more than `ordersMax`. */
export async function selectOrders(
  sql: Sql,
  store: Store,
  { q, ...filter }: BulkFilter,
  ordersMax: number,
): Promise<readonly SelectedOrder[]> {
  const selected: SelectedOrder[] = []
  const pause = yieldEvery()
  for (let after: { id: string; value: null } | null = null; ; ) {
    const page = { sortColumn: null, isDescending: true, after, limit: ORDERS_PER_PAGE }
    const found: readonly (SelectedOrder & { readonly isCut?: boolean })[] = await listOrders(sql, store, { filter, q, page }, SELECTED)
    selected.push(...found.map(({ id, status }) => ({ id, status })))
    if (selected.length > ordersMax) throw bulkErrors.tooManyOrders({ ordersMax }, { field: ['filter'] })
    const last = found.at(-1)
    if (!last || (found.length < ORDERS_PER_PAGE && !last.isCut)) return selected
    after = { id: last.id, value: null }
    await pause()
  }
}

const SELECTED = ['projectId', 'id', 'status'] as const

/** Selects orders by their ids, each once, in the given order. */
export async function selectOrdersById(sql: Sql, { projectId }: Store, ids: readonly string[]): Promise<readonly SelectedOrder[]> {
  const unique = [...new Set(ids)]
  const states = new Map((await findOrderStates(sql, projectId, unique)).map(({ id, status }) => [id, status]))
  return unique.map((id) => ({ id, status: states.get(id) ?? null }))
}
