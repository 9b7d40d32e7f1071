import { memberOf } from '../../../../plugins/kind.ts'
import type { Tx } from '../../../data/sql.ts'
import type { DomainEvents } from '../../../data/subscribers.ts'
import { transferOrders } from '../inbox/transfer-orders.ts'
import { markAccountUnsure } from '../shop-sync.queries.ts'
import { connectorShopErrors } from '../shops.errors.ts'
import { hasShopOrders, listDeletedConnectionsOfShop, listStoreConnectionsOfShop, lockShop } from '../shops.queries.ts'
import { alreadyConnectedError, shopHostIn } from './connect-shop.ts'

/**
 * Guards the change of a connection's shop. A connection with orders keeps its shop, and a store has one connection per shop. The new
 * connection receives the orders of a deleted one. Throws `conflict`.
 */
export async function guardShopChange(tx: Tx, { mounted, before, after }: DomainEvents['connection.changed']): Promise<void> {
  if (mounted.kind.name !== 'connector') return
  if (before) await markAccountUnsure(tx, after)
  const { label, slug: key } = mounted.adapter
  const setting = memberOf(mounted.adapter, 'shop')
  if (typeof setting !== 'string') return
  const adapter = { shop: setting }
  const [was, host] = [before && shopHostIn(adapter, before.settings), shopHostIn(adapter, after.settings)]
  if (was === host) return
  if (before && (await hasShopOrders(tx, after))) throw connectorShopErrors.connectionOfOtherShop({ label })
  if (host === undefined) return
  const shop = { storeId: after.storeId, key, setting, host }
  await lockShop(tx, shop)
  const other = (await listStoreConnectionsOfShop(tx, shop)).find(({ id }) => id !== after.id)
  if (other) throw alreadyConnectedError(host, other)
  for (const { id } of await listDeletedConnectionsOfShop(tx, shop)) await transferOrders(tx, id, after)
}
