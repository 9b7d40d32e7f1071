import type { ConnectorAdapter } from '../../../../plugins/connector/kind.ts'
import type { Context } from '../../../context.ts'
import type { Queryable } from '../../../data/sql.ts'
import { ApiError, notFound } from '../../../http/errors/errors.ts'
import { connect } from '../../../integrations/connections/connect.ts'
import type { NewIntegration } from '../../../integrations/connections/connections.model.ts'
import { listAtShop } from '../shops.queries.ts'

/** Connects a store to a shop by its keys. Throws `not_found` where no platform has this name. */
export async function connectShop(context: Context, storeId: string, platform: string, said: NewIntegration) {
  const adapter = context.plugins.find('connector', platform)?.adapter
  if (!adapter) throw notFound(`A platform "${platform}"`)
  const name = said.name ?? (await nameOf(context.sql, storeId, adapter, shopIn(adapter, said.settings)))
  return connect(context, storeId, platform, { ...said, name })
}

/** What a connection is called of which that is not said: as the one of that shop is, else as its host, so that none takes another shop's place. */
export async function nameOf(sql: Queryable, storeId: string, { slug, shop }: ConnectorAdapter, host: string | undefined): Promise<string> {
  if (shop === undefined || host === undefined) return ''
  const [standing] = await listAtShop(sql, { storeId, key: slug, setting: shop, host })
  return standing?.name ?? host
}

/** A store has one connection to each shop. */
export const connectedAlready = (host: string, { id, name }: { readonly id: string; readonly name: string }) =>
  new ApiError('conflict', `The store is connected to ${host} already (${name || id}). Change that connection, or delete it.`)

/** The host of the shop that a connection is of, where each shop has one. */
export function shopIn({ shop }: Pick<ConnectorAdapter, 'shop'>, settings: Readonly<Record<string, unknown>> = {}): string | undefined {
  const host = shop === undefined ? undefined : settings[shop]
  return typeof host === 'string' && host !== '' ? host.toLowerCase() : undefined
}
