import { connector } from 'serai/connector'
import { call } from './api.ts'
import { type Context, credentials, HOST, label, settings } from './fields.ts'
import { pull, pushStatus } from './orders.ts'
import { subscribe, unsubscribe, webhook } from './webhook.ts'

async function testConnection(context: Context) {
  await call(context, 'GET', 'orders')
  return {}
}

export default connector({
  slug: 'example',
  label,
  net: [HOST],
  credentials,
  settings,
  rateWindows: [{ calls: 60, seconds: 60 }],
  install: ['keys'],
  testConnection,
  pull,
  subscribe,
  unsubscribe,
  pushStatus,
  webhook,
})
