import { connector } from 'serai/connector'
import { call, LABEL } from './api.ts'
import { type Context, credentials, settings } from './fields.ts'
import { link } from './link.ts'
import { pull, readOrder } from './orders.ts'
import { ownProducts } from './products.ts'
import { pushStatus } from './push-status.ts'
import { assertSameStore, storeOf } from './store.ts'
import { webhook } from './webhook.ts'

async function testConnection(context: Context) {
  await call(context, 'GET', 'products', { query: { limit: 1, page: 1 } })
  await assertSameStore(context)
  return {}
}

export default connector({
  slug: 'easyorders',
  label: LABEL,
  website: 'https://public-api-docs.easy-orders.net',
  net: ['api.easy-orders.net'],
  credentials,
  settings,
  rateWindows: [{ calls: 40, seconds: 60 }],
  branded: ['ownProducts'],
  install: ['keys', 'link'],
  uniqueOrders: true,
  testConnection,
  account: storeOf,
  pull,
  readOrder,
  pushStatus,
  link,
  ownProducts,
  webhook,
})
