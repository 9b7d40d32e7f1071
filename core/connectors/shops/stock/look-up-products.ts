import type { ConnectorAdapter } from '../../../../plugins/connector/index.ts'
import { PublicProducts, type ShownProducts } from '../../../../plugins/connector/products.model.ts'
import { hostIn } from '../../../../plugins/connector/written.ts'
import type { Context } from '../../../context.ts'
import type { Principal } from '../../../http/auth/principal.ts'
import { toDomainError } from '../../../integrations/connections/calls/adapter-failures.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import { callWithoutConnection } from '../../../integrations/connections/calls/call-without-connection.ts'
import { findEnabledConnection } from '../../../integrations/connections/connection.ts'
import type { OperationCall } from '../../../integrations/operations/operation-registry.ts'
import { invariant } from '../../../lib/invariant.ts'
import { resolveStore } from '../../../shop/stores/access.ts'
import { listShopsOfPlatform } from '../shop-sync.queries.ts'
import { connectorShopErrors } from '../shops.errors.ts'

const CALL_MS = 20_000

type ShopQuery = Pick<OperationCall<'connector', 'products'>['query'], 'url' | 'host' | 'subdomain'>

/** Reads the public products of an external shop, by its host or any of its addresses, for a store that may sell the same. */
export async function lookUpProducts(context: Context, { adapter, query, caller }: OperationCall<'connector', 'products'>) {
  await resolveStore(context, caller as Principal, query.storeId, ['viewer', 'products:read'])
  const shop = shopIn(adapter, query)
  if (shop === undefined) throw connectorShopErrors.shopHostMissing({ field: ['url'] })
  const mounted = invariant(context.plugins.find('connector', adapter.slug), 'A platform that is asked')
  const request = { shop, page: Number(query.page ?? 1) }
  // Many shops redirect between the name with `www.` and the one without.
  const hosts = shop.startsWith('www.') ? [shop, shop.slice(4)] : [shop, `www.${shop}`]
  const options = { hosts, deadlineMs: CALL_MS, schema: PublicProducts }
  return shown(await callWithoutConnection(context, mounted, (own) => adapter.publicProducts(own, request), options))
}

function shopIn({ subdomainOf }: Pick<ConnectorAdapter, 'subdomainOf'>, { url, host, subdomain }: ShopQuery): string | undefined {
  const below = subdomain !== undefined && subdomainOf !== undefined && !subdomain.includes('.') ? `${subdomain}.${subdomainOf}` : subdomain
  return hostIn(url ?? host ?? below)
}

/** Reads the products of the store's own shop, for platforms that publish none. Throws `adapter_not_enabled` if no shop is connected. */
export async function lookUpOwnProducts(context: Context, { adapter, query, caller }: OperationCall<'connector', 'ownProducts'>) {
  const store = await resolveStore(context, caller as Principal, query.storeId, ['viewer', 'products:read'])
  const shops = await listShopsOfPlatform(context.sql, store.id, adapter.slug)
  const chosen = query.connectorId === undefined ? shops[0] : shops.find(({ id }) => id === query.connectorId)
  const connection = chosen && (await findEnabledConnection(context, 'connector', chosen))
  if (!connection) throw connectorShopErrors.productsOnlyForOwner({ label: adapter.label })
  const request = { page: Number(query.page ?? 1) }
  const options = { operation: 'ownProducts', deadlineMs: CALL_MS, schema: PublicProducts }
  const found = await callAdapter(context, connection, (_, own) => adapter.ownProducts(own, request), options).catch((error) =>
    Promise.reject(toDomainError(error)),
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
