import type { Tx } from '../../../data/sql.ts'
import { moveConnectorOrders } from '../../../orders/change/move-connector.ts'
import { listExternalIds, listOrdersAfter, moveGoods, moveOrders } from '../shops.queries.ts'

const MOVED_AT_ONCE = 5_000

/**
 * What a connection that is gone knew of orders and goods is another's from now on, as far as that does not know it itself. In pieces, none of which
 * takes too long; what is known is held against each here, since a join would count on how little that was before.
 */
export async function takeOver(tx: Tx, from: string, to: string): Promise<void> {
  const known = new Set(await listExternalIds(tx, to))
  for (let after = ''; ; ) {
    const rows = await listOrdersAfter(tx, from, after, MOVED_AT_ONCE)
    const unknown = rows.filter(({ externalId }) => !known.has(externalId))
    await moveOrders(
      tx,
      unknown.map(({ id }) => id),
      from,
      to,
    )
    await moveConnectorOrders(
      tx,
      from,
      to,
      unknown.flatMap(({ orderId }) => orderId ?? []),
    )
    after = rows.at(-1)?.id ?? after
    if (rows.length < MOVED_AT_ONCE) break
  }
  await moveGoods(tx, from, to)
}
