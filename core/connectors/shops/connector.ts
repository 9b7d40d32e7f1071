import { connector } from '../../../plugins/connector/kind.ts'
import type { Context } from '../../context.ts'
import { projectIdOf } from '../../data/project-ids.ts'
import type { Queryable } from '../../data/sql.ts'
import { serverAddress } from '../../http/address/server-address.ts'
import { type Connection, type ConnectorConnection, openConnection } from '../../integrations/connections/connection.ts'
import type { ConnectionRef } from '../../integrations/connections/connections.model.ts'
import { findConnection, findConnectionById } from '../../integrations/connections/connections.queries.ts'
import { DomainError, notFound } from '../../lib/errors/domain-error.ts'
import { findStore } from '../../shop/stores/stores.queries.ts'
import type { Connector } from './connectors.model.ts'
import { findRowSource } from './sheet-import/row-sources.queries.ts'
import { createRowsConnector } from './sheet-import/rows-connector.ts'
import { countShopOrders, findOrInsertShopSync, type ShopSyncRow } from './shop-sync.queries.ts'
import { connectorShopErrors } from './shops.errors.ts'

/** Finds the store's connection to a shop. Throws `not_found` for any other connection. */
export async function findConnector({ sql }: Pick<Context, 'sql'>, storeId: string, id: string): Promise<ConnectorConnection['row']> {
  const row = await findConnection(sql, { projectId: projectIdOf(storeId), id })
  if (!row || !(await isShop(sql, row))) throw notFound('The connector')
  return row
}

/** Returns true for a connector, and for a spreadsheet whose rows are imported as orders. */
const isShop = async (sql: Queryable, row: Connection['row']) =>
  row.kind === 'connector' || (row.kind === 'spreadsheet' && (await findRowSource(sql, row)) !== undefined)

/** Opens an enabled connector of a store. Throws `not_found`, or `adapter_not_enabled` if it is disabled. */
export async function openConnector(context: Context, storeId: string, id: string): Promise<ConnectorConnection> {
  const row = await findConnector(context, storeId, id)
  if (!row.enabled) throw connectorShopErrors.connectorOff()
  return openShop(context, row)
}

/** Opens a shop, or a spreadsheet that is read as one. */
export async function openShop(context: Context, row: Connection['row']): Promise<ConnectorConnection> {
  if (row.kind !== 'spreadsheet') return openConnection(context, 'connector', row)
  const sheet = openConnection(context, 'spreadsheet', row)
  const store = await findStore(context.sql, row.storeId)
  return { ...sheet, mounted: { kind: connector, adapter: createRowsConnector(context, sheet, store?.currencyCode ?? '') } }
}

/** Opens those connections that still exist. */
export async function openConnectors(context: Context, named: readonly ConnectionRef[]): Promise<ConnectorConnection[]> {
  const rows = await Promise.all(named.map((one) => findConnection(context.sql, one)))
  return rows.flatMap((row) => (row ? [openConnection(context, 'connector', row)] : []))
}

/** Opens a shop for a background job. Returns null if it is missing, disabled or without its adapter. */
export async function findEnabledShop(context: Context, id: string): Promise<ConnectorConnection | null> {
  const row = await findConnectionById(context.sql, id)
  if (!row?.enabled || !(await isShop(context.sql, row))) return null
  return openShop(context, row).catch((error: unknown) => {
    if (error instanceof DomainError) return null
    throw error
  })
}

/** Returns the webhook address of one connection. */
export const shopWebhookUrl = (context: Pick<Context, 'config' | 'listener'>, { key, storeId, id }: ConnectorConnection['row']): string =>
  `${serverAddress(context)}/v1/integrations/connectors/${key}/webhook/${storeId}/${id}`

/** Returns the API view of a connected shop. */
export async function presentConnector(context: Context, row: ConnectorConnection['row']): Promise<Connector> {
  const [channel, orders] = await Promise.all([findOrInsertShopSync(context.sql, row), countShopOrders(context.sql, row)])
  const adapter = context.plugins.find('connector', row.key)?.adapter
  const { shop } = adapter ?? {}
  const host = shop === undefined ? undefined : row.settings[shop]
  return {
    id: row.id,
    storeId: row.storeId,
    platform: row.key,
    name: row.name,
    enabled: row.enabled,
    shop: typeof host === 'string' ? host : null,
    status: row.status,
    statusMessage: row.statusMessage,
    webhookUrl: row.kind === 'spreadsheet' || (adapter && !adapter.webhook) ? null : shopWebhookUrl(context, row),
    webhooks: { subscribedAt: channel.subscribedAt, message: channel.subscribeMessage },
    pull: {
      status: channel.pullStatus,
      since: channel.pullSince,
      nextSince: nextPullStartOf(channel),
      seen: channel.pullSeen,
      changed: channel.pullChanged,
      unreadable: channel.pullUnreadable,
      total: channel.pullTotal,
      message: channel.pullMessage,
      startedAt: channel.pullStartedAt,
      finishedAt: channel.pullFinishedAt,
      nextAt: channel.nextPullAt,
    },
    orders,
    createdAt: row.createdAt,
  }
}

/** Overlap of two pulls, in milliseconds: shops show changes late, and clocks differ. */
const OVERLAP_MS = 10 * 60_000

/** Returns the start of the next pull, unless one is given: shortly before the end of the last pull, or before the shop was connected. */
export const nextPullStartOf = ({ pulledUntil }: Pick<ShopSyncRow, 'pulledUntil'>): string =>
  new Date(Date.parse(pulledUntil) - OVERLAP_MS).toISOString()
