import { payment } from 'serai/payment'
import { capture, createCheckout, RETURNS, read } from './checkouts.ts'
import { type Context, credentials, hosts, LABEL, settings } from './fields.ts'
import { currencies, steps } from './money.ts'
import { refund } from './refunds.ts'
import { newToken } from './token.ts'
import { webhook } from './webhook.ts'

async function testConnection(context: Context) {
  await newToken(context)
  return { account: `${context.settings.mode} mode` }
}

export default payment({
  slug: 'paypal',
  label: LABEL,
  website: 'https://developer.paypal.com/api/rest/',
  net: [hosts.live, hosts.sandbox],
  credentials,
  settings,
  // The quota is not published: a conservative guess.
  rateWindows: [{ calls: 300, seconds: 60 }],
  currencies: [...currencies],
  unit: 'minor',
  steps,
  returns: RETURNS,
  refunds: { partial: true, exactlyOnce: 'idempotencyKey' },
  testConnection,
  createCheckout,
  read,
  capture,
  refund,
  webhook,
})
