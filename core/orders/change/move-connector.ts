import type { Tx } from '../../data/sql.ts'
import { updateConnector } from '../orders.queries.ts'

/** Moves orders to another connector of the same shop, after the shop was connected again. */
export async function moveConnectorOrders(tx: Tx, from: string, to: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await updateConnector(tx, from, to, ids)
}
