import type { Tx } from '../../data/sql.ts'
import { updateConnector } from '../orders.queries.ts'

/** Moves orders to another connection of the same shop, as when a shop is connected anew. */
export async function moveConnectorOrders(tx: Tx, from: string, to: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await updateConnector(tx, from, to, ids)
}
