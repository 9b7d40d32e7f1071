import { payment } from 'serai/payment'
import { call, createCheckout, expire, read, refund } from './checkouts.ts'
import { credentials, label, settings } from './fields.ts'
import { payouts } from './payouts.ts'
import { webhook } from './webhook.ts'

export default payment({
  slug: 'example',
  label,
  net: ['api.example.com'], // all that it can reach
  credentials,
  settings,
  rateWindows: [{ calls: 60, seconds: 60 }],
  currencies: ['DZD', 'EUR'],
  unit: 'minor', // an amount of 1 is a centime; the server converts
  returns: 'checkout', // the query parameter in which it names the checkout when the payer comes back
  refunds: { partial: true, exactlyOnce: 'idempotencyKey' }, // what it can do against giving back twice
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
