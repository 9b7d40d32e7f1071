import { payment } from 'serai/payment'
import { call } from './api.ts'
import { createCheckout, expire, read } from './checkouts.ts'
import { type Context, credentials, HOST, settings } from './fields.ts'
import { webhook } from './webhook.ts'

async function testConnection(context: Context) {
  await call(context, 'GET', 'balance')
  return { account: `${context.settings.mode} mode` }
}

export default payment({
  slug: 'chargily',
  label: 'Chargily Pay',
  website: 'https://dev.chargily.com/pay-v2',
  net: [HOST],
  credentials,
  settings,
  // The quota is not published: a conservative guess.
  rateWindows: [{ calls: 60, seconds: 60 }],
  branded: ['notified'],
  currencies: ['DZD'],
  unit: 'major',
  returns: 'checkout_id',
  testConnection,
  createCheckout,
  read,
  expire,
  webhook,
})
