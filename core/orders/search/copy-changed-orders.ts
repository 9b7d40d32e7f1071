import { eraseByIds } from '../../data/personal-data/personal-data.ts'
import type { Tx } from '../../data/sql.ts'
import type { OrderChange } from '../changes/changes.model.ts'
import { drainOrders } from '../changes/drain-changes.ts'
import { copyOrders, deleteCopies } from './search-rows.queries.ts'

/**
 * Copies changed orders to the table that lists search. The changes of a project are published by one process at a time, so that no older
 * state of an order overwrites a newer one.
 */
export async function copyChangedOrders(tx: Tx, changes: readonly OrderChange[]): Promise<void> {
  await copyOrders(tx, changes)
  const deleted = changes.filter(({ changed }) => changed?.includes('deleted_at'))
  if (deleted.length > 0) await deleteCopies(tx, deleted)
}

/** Copies the orders whose customers were erased just before, so that no copy keeps a name or a number. */
export const personalCopies = eraseByIds('orderIds', 'order_search', (tx, ids, { storeId }) => drainOrders(tx, storeId, ids))
