import type { ConnectorAdapter } from '../../../../plugins/connector/index.ts'
import { PublicProducts, type ShownProducts } from '../../../../plugins/connector/model.ts'
import { hostIn } from '../../../../plugins/connector/written.ts'
import type { Context } from '../../../context.ts'
import type { Principal } from '../../../http/auth/principal.ts'
import { ApiError, invalidValue } from '../../../http/errors/errors.ts'
import { askWithoutConnection } from '../../../integrations/connections/calls/anonymous.ts'
import { asApiError, callAdapter } from '../../../integrations/connections/calls/call.ts'
import { connectionIfOn } from '../../../integrations/connections/connection.ts'
import type { OperationCall } from '../../../integrations/operations/operation-registry.ts'
import { invariant } from '../../../lib/invariant.ts'
import { resolveStore } from '../../../shop/stores/access.ts'
import { listShopsOfPlatform } from '../channels.queries.ts'

const LOOK_MS = 20_000

type Named = Pick<OperationCall<'connector', 'products'>['query'], 'url' | 'host' | 'subdomain'>

/** What a shop elsewhere shows to everybody, by its host or any address of it, for a store that may want to sell the same. */
export async function lookUpProducts(context: Context, { adapter, query, caller }: OperationCall<'connector', 'products'>) {
  await resolveStore(context, caller as Principal, query.storeId, ['viewer', 'products:read'])
  const shop = shopIn(adapter, query)
  if (shop === undefined) throw invalidValue('/query/url', 'This names no shop. Give its host: shop.example.')
  const mounted = invariant(context.plugins.find('connector', adapter.slug), 'A platform that is asked')
  const asked = { shop, page: Number(query.page ?? 1) }
  // Many shops send whoever comes by one name on to the other.
  const hosts = shop.startsWith('www.') ? [shop, shop.slice(4)] : [shop, `www.${shop}`]
  const options = { hosts, deadlineMs: LOOK_MS, schema: PublicProducts }
  return shown(await askWithoutConnection(context, mounted, (own) => adapter.publicProducts(own, asked), options))
}

function shopIn({ subdomainOf }: Pick<ConnectorAdapter, 'subdomainOf'>, { url, host, subdomain }: Named): string | undefined {
  const below = subdomain !== undefined && subdomainOf !== undefined && !subdomain.includes('.') ? `${subdomain}.${subdomainOf}` : subdomain
  return hostIn(url ?? host ?? below)
}

/** The goods of a store's own shop, of platforms that show them to nobody else. Throws `adapter_not_enabled` where none is connected. */
export async function lookUpOwnProducts(context: Context, { adapter, query, caller }: OperationCall<'connector', 'ownProducts'>) {
  const store = await resolveStore(context, caller as Principal, query.storeId, ['viewer', 'products:read'])
  const shops = await listShopsOfPlatform(context.sql, store.id, adapter.slug)
  const chosen = query.connectorId === undefined ? shops[0] : shops.find(({ id }) => id === query.connectorId)
  const connection = chosen && (await connectionIfOn(context, 'connector', chosen.id))
  if (!connection)
    throw new ApiError(
      'adapter_not_enabled',
      `${adapter.label} shows goods to their own shop alone: connect it first, at POST …/connectors.`,
    )
  const asked = { page: Number(query.page ?? 1) }
  const options = { operation: 'ownProducts', deadlineMs: LOOK_MS, schema: PublicProducts }
  const found = await callAdapter(context, connection, (_, own) => adapter.ownProducts(own, asked), options).catch((error) =>
    Promise.reject(asApiError(error)),
  )
  return shown(found)
}

/** Goods as the interface shows them: an adapter tells amounts as exact decimals, an answer has numbers. */
const shown = ({ products, ...page }: PublicProducts): ShownProducts => ({
  ...page,
  products: products.map(({ compareAtPrice, ...product }) => ({
    ...product,
    price: amountOf(product.price),
    ...(compareAtPrice !== undefined && { compareAtPrice: Number(compareAtPrice) }),
    variants: product.variants.map((variant) => ({ ...variant, price: amountOf(variant.price) })),
  })),
})

const amountOf = (exact: string | null) => (exact === null ? null : Number(exact))
