import type { ConnectorAdapter } from '../../../../plugins/connector/kind.ts'
import type { Context } from '../../../context.ts'
import type { Queryable } from '../../../data/sql.ts'
import { connectAdapter } from '../../../integrations/connections/connect.ts'
import type { NewIntegration } from '../../../integrations/connections/connections.model.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { connectorShopErrors } from '../shops.errors.ts'
import { listStoreConnectionsOfShop } from '../shops.queries.ts'

/** Connects a store to a shop by its keys. Throws `not_found` if the platform is unknown. */
export async function connectShop(context: Context, storeId: string, platform: string, request: NewIntegration) {
  const adapter = context.plugins.find('connector', platform)?.adapter
  if (!adapter) throw notFound(`A platform "${platform}"`)
  const name = request.name ?? (await connectionNameOf(context.sql, storeId, adapter, shopHostIn(adapter, request.settings)))
  return connectAdapter(context, storeId, platform, { ...request, name })
}

/** Returns the name of a connection without a given one: that of the existing connection to the shop, else the shop's host. */
export async function connectionNameOf(
  sql: Queryable,
  storeId: string,
  { slug, shop }: ConnectorAdapter,
  host: string | undefined,
): Promise<string> {
  if (shop === undefined || host === undefined) return ''
  const [existing] = await listStoreConnectionsOfShop(sql, { storeId, key: slug, setting: shop, host })
  return existing?.name ?? host
}

/** Creates the error for a second connection to the same shop. */
export const alreadyConnectedError = (host: string, { id, name }: { readonly id: string; readonly name: string }) =>
  connectorShopErrors.shopConnected({ host, name: name || id })

/** Returns the host of the shop in the settings; undefined for platforms without one. */
export function shopHostIn({ shop }: Pick<ConnectorAdapter, 'shop'>, settings: Readonly<Record<string, unknown>> = {}): string | undefined {
  const host = shop === undefined ? undefined : settings[shop]
  return typeof host === 'string' && host !== '' ? host.toLowerCase() : undefined
}
