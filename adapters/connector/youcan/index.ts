import { connector } from 'serai/connector'
import { LABEL, read } from './api.ts'
import { type Context, credentials, settings } from './fields.ts'
import { pull, readOrder } from './orders.ts'
import { publicProducts } from './public-products.ts'
import { subscribe, unsubscribe, webhook } from './webhook.ts'

async function testConnection(context: Context) {
  await read(context, 'orders', { page: 1 })
  return {}
}

export default connector({
  slug: 'youcan',
  label: LABEL,
  website: 'https://developer.youcan.shop',
  net: ['seller-area.youcan.shop', 'api.youcan.shop'],
  credentials,
  settings,
  // The quota is not published: a guess.
  rateWindows: [{ calls: 60, seconds: 60 }],
  branded: ['products'],
  oauth: {
    authorizeUrl: 'https://seller-area.youcan.shop/admin/oauth/authorize',
    tokenUrl: 'https://api.youcan.shop/oauth/token',
    client: { id: 'clientId', secret: 'clientSecret' },
    scopes: ['read-orders', 'edit-rest-hooks'],
    names: { scope: 'scope[]' },
    pkce: false,
    refresh: 'rotating',
  },
  install: ['oauth'],
  subdomainOf: 'youcan.shop',
  uniqueOrders: true,
  testConnection,
  pull,
  readOrder,
  subscribe,
  unsubscribe,
  publicProducts,
  webhook,
})
