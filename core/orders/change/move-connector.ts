import type { Tx } from '../../data/sql.ts'
import type { ConnectionRef } from '../../integrations/connections/connections.model.ts'
import { updateConnectorOfOrders } from '../orders.queries.ts'

/** Moves orders to another connector of the same shop, by its id, after the shop was connected again. */
export async function moveConnectorOrders(tx: Tx, from: ConnectionRef, to: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await updateConnectorOfOrders(tx, from, to, ids)
}
