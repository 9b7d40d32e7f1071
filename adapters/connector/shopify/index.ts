import { connector, isRow, text } from 'serai/connector'
import { graphql } from './api.ts'
import { type Context, credentials, settings } from './fields.ts'
import { pull, readOrder } from './orders.ts'
import { publicProducts } from './public-products.ts'
import { pushStatus } from './push-status.ts'
import { subscribe, unsubscribe, webhook } from './webhook.ts'

async function testConnection(context: Context) {
  const { shop } = await graphql(context, 'query { shop { name } }', {}, { readsOnly: true })
  return { account: (isRow(shop) && text(shop.name)) || context.settings.shop }
}

export default connector({
  slug: 'shopify',
  label: 'Shopify',
  website: 'https://shopify.dev',
  net: ['*.myshopify.com'],
  credentials,
  settings,
  // Shopify counts the cost of queries; this guess stays below the quota of a small shop.
  rateWindows: [{ calls: 60, seconds: 60 }],
  branded: ['products'],
  oauth: {
    authorizeUrl: 'https://{shop}/admin/oauth/authorize',
    tokenUrl: 'https://{shop}/admin/oauth/access_token',
    client: { id: 'clientId', secret: 'clientSecret' },
    scopes: [
      'read_products',
      'read_orders',
      'write_orders',
      'read_merchant_managed_fulfillment_orders',
      'write_merchant_managed_fulfillment_orders',
      'write_fulfillments',
    ],
    scopeSeparator: ',',
    asks: 'json',
    pkce: false,
    parameters: { token: { expiring: '1' } },
    refresh: 'rotating',
    signed: { parameter: 'hmac', except: ['signature'], time: 'timestamp', seconds: 90, of: { parameter: 'shop', setting: 'shop' } },
  },
  install: ['oauth'],
  shop: 'shop',
  subdomainOf: 'myshopify.com',
  shopHeader: 'x-shopify-shop-domain',
  testConnection,
  pull,
  readOrder,
  subscribe,
  unsubscribe,
  pushStatus,
  publicProducts,
  webhook,
})
