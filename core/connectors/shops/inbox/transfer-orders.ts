import type { Tx } from '../../../data/sql.ts'
import type { ConnectionRef } from '../../../integrations/connections/connections.model.ts'
import { moveConnectorOrders } from '../../../orders/change/move-connector.ts'
import { listExternalIds, listShopOrdersAfter, moveShopGoods, moveShopOrders } from '../shops.queries.ts'

const MOVED_AT_ONCE = 5_000

/**
 * Transfers the orders and items of a deleted connection to another one of its project, except those that it has already. Works in batches, each of which
 * is short. Compares ids in memory, since the planner misestimates a join here.
 */
export async function transferOrders(tx: Tx, deletedId: string, to: ConnectionRef): Promise<void> {
  const from = { projectId: to.projectId, id: deletedId }
  const known = new Set(await listExternalIds(tx, to))
  for (let after = ''; ; ) {
    const rows = await listShopOrdersAfter(tx, from, after, MOVED_AT_ONCE)
    const unknown = rows.filter(({ externalId }) => !known.has(externalId))
    await moveShopOrders(
      tx,
      unknown.map(({ id }) => id),
      from,
      to.id,
    )
    await moveConnectorOrders(
      tx,
      from,
      to.id,
      unknown.flatMap(({ orderId }) => orderId ?? []),
    )
    after = rows.at(-1)?.id ?? after
    if (rows.length < MOVED_AT_ONCE) break
  }
  await moveShopGoods(tx, from, to.id)
}
