import { payment } from 'serai/payment'
import { call, createCheckout, expire, read, refund } from './checkouts.ts'
import { credentials, label, settings } from './fields.ts'
import { payouts } from './payouts.ts'
import { webhook } from './webhook.ts'

export default payment({
  slug: 'example',
  label,
  net: ['api.example.com'], // the only hosts that it can reach
  credentials,
  settings,
  rateWindows: [{ calls: 60, seconds: 60 }],
  currencies: ['DZD', 'EUR'],
  unit: 'minor', // an amount of 1 is a centime; the server converts
  returns: 'checkout', // query parameter that names the checkout when the payer returns
  refunds: { partial: true, exactlyOnce: 'idempotencyKey' }, // how a second refund is prevented
  branded: ['notified'],

  async testConnection(context) {
    await call(context, 'GET', 'me')
    return {}
  },

  createCheckout,
  read,
  expire,
  refund,
  payouts,
  webhook,
})
