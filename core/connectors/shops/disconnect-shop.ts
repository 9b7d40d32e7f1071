import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import type { Tx } from '../../data/sql.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import { type Connection, type ConnectorConnection, openConnection } from '../../integrations/connections/connection.ts'
import { findOAuthClient } from '../../integrations/connections/oauth-client/oauth-client.ts'
import { openConnectors } from './connector.ts'
import { findOrInsertShopSync, listConnectionsOfShops, listSubscribedConnections } from './shop-sync.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'connectors.disconnect': { connectionId: string }
  }
}

const CALL_MS = 20_000

/** Unregisters the webhooks of a shop before its connection is deleted. Does not throw for failures of the provider. */
export async function disconnectShop(context: Context, row: Connection['row']): Promise<void> {
  if (context.plugins.find('connector', row.key)) await unsubscribe(context, openConnection(context, 'connector', row))
}

/** Enqueues the disconnection of all shops of a store that is being deleted. */
export async function requestShopDisconnects(tx: Tx, storeId: string): Promise<void> {
  for (const { id } of await listSubscribedConnections(tx, storeId)) await enqueue(tx, 'connectors.disconnect', { connectionId: id })
}

/**
 * Unregisters the webhook at the shop, unless another connection needs it. Logs a failure; the shop then calls an unknown address until it
 * gives up.
 */
async function unsubscribe(context: Context, connection: ConnectorConnection): Promise<void> {
  const { unsubscribe: unsubscribeAt } = connection.mounted.adapter
  const { webhookAddress: address } = await findOrInsertShopSync(context.sql, connection.row)
  if (!unsubscribeAt || address === null || (await isNeededByAnother(context, connection))) return
  await callAdapter(context, connection, (_, own) => unsubscribeAt(own, { address }), {
    operation: 'unsubscribe',
    deadlineMs: CALL_MS,
  }).catch((err: unknown) => context.log.warn({ err, connectionId: connection.row.id }, 'the webhooks of a shop could not be unregistered'))
}

/**
 * Returns true if another connection of the same shop uses the same app. Only for platforms that register webhooks per app, not per
 * address.
 */
async function isNeededByAnother(context: Context, connection: ConnectorConnection): Promise<boolean> {
  const { row, mounted } = connection
  const { subscribesApp, shopInBody } = mounted.adapter
  const shop = shopInBody && row.settings[shopInBody.setting]
  if (!subscribesApp || !shopInBody || typeof shop !== 'string' || shop === '') return false
  const ownClient = await findOAuthClient(context, connection)
  const named = await listConnectionsOfShops(context.sql, row.key, shopInBody.setting, [shop])
  for (const other of await openConnectors(context, named))
    if (other.row.id !== row.id && (await findOAuthClient(context, other))?.id === ownClient?.id) return true
  return false
}
