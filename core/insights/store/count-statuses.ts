import type { ConsistencyCheck } from '../../data/checks.ts'
import type { Tx } from '../../data/sql.ts'
import type { OrderChange } from '../../orders/changes/changes.model.ts'
import { addStatusCounts, listStatusCountMismatches } from './status-counts.queries.ts'

/**
 * Adds changes of orders to the counts of their statuses. Runs in the transaction that deletes the changes, so that counts and waiting
 * changes together are exact at any time.
 */
export async function countStatuses(tx: Tx, changes: readonly OrderChange[]): Promise<void> {
  if (changes.length > 0) await addStatusCounts(tx, changes)
}

/** Rule between the counts and the orders. */
export const statusCountCheck: ConsistencyCheck = {
  rule: 'Counts of orders by status equal the orders',
  find: listStatusCountMismatches,
}
