import type { Context } from '../../context.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { type ConnectorConnection, openConnection } from '../../shop/connections/connection.ts'
import { findConnection } from '../../shop/connections/connections.queries.ts'
import { originOf } from '../../shop/connections/webhook-address.ts'
import type { Connector } from './channels.model.ts'
import { channelOf, countOrders } from './channels.queries.ts'

/** The connection of a store to a shop. Throws `not_found` for any other. */
export async function connectorOf({ sql }: Pick<Context, 'sql'>, storeId: string, id: string): Promise<ConnectorConnection['row']> {
  const row = await findConnection(sql, id)
  if (row?.owner !== 'store' || row.storeId !== storeId || row.kind !== 'connector') throw notFound('The connector')
  return row
}

/** The same, as it can be asked. */
export async function openConnector(context: Context, storeId: string, id: string): Promise<ConnectorConnection> {
  const row = await connectorOf(context, storeId, id)
  if (!row.enabled) throw new ApiError('adapter_not_enabled', 'The connector is switched off. Switch it on first.')
  return openConnection(context, 'connector', row)
}

/** Where this shop, and no other, tells its news. */
export const callbackAddress = (
  context: Pick<Context, 'config'>,
  { key, storeId, id }: ConnectorConnection['row'],
  request: Request,
): string => `${originOf(context, request)}/v1/integrations/connectors/${key}/webhook/${storeId}/${id}`

export async function presentConnector(context: Context, row: ConnectorConnection['row'], request: Request): Promise<Connector> {
  const [channel, orders] = await Promise.all([channelOf(context.sql, row.id), countOrders(context.sql, row.id)])
  const { shop } = context.plugins.find('connector', row.key)?.adapter ?? {}
  const host = shop === undefined ? undefined : row.settings[shop]
  return {
    id: row.id,
    storeId: row.storeId,
    platform: row.key,
    name: row.name,
    enabled: row.enabled,
    shop: typeof host === 'string' ? host : null,
    webhookUrl: callbackAddress(context, row, request),
    webhooks: { subscribedAt: channel.subscribedAt, message: channel.subscribeMessage },
    pull: {
      status: channel.pullStatus,
      since: channel.pullSince,
      seen: channel.pullSeen,
      changed: channel.pullChanged,
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
