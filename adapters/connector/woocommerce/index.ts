import { connector } from 'serai/connector'
import { call } from './api.ts'
import { type Context, credentials, settings } from './fields.ts'
import { link } from './link.ts'
import { pull, readOrder } from './orders.ts'
import { publicProducts } from './public-products.ts'
import { pushStatus } from './push-status.ts'
import { pushStock } from './push-stock.ts'
import { subscribe, unsubscribe, webhook } from './webhook.ts'

async function testConnection(context: Context) {
  await call(context, 'GET', 'orders', { query: { per_page: 1 } })
  return { account: context.settings.shop }
}

export default connector({
  slug: 'woocommerce',
  label: 'WooCommerce',
  website: 'https://woocommerce.com',
  net: [],
  credentials,
  settings,
  // Each shop has its own server, without a published quota: a guess that leaves room for its customers.
  rateWindows: [{ calls: 60, seconds: 60 }],
  branded: ['products'],
  install: ['keys', 'link'],
  shop: 'shop',
  testConnection,
  pull,
  readOrder,
  subscribe,
  unsubscribe,
  pushStatus,
  pushStock,
  link,
  publicProducts,
  webhook,
})
