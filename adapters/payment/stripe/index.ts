import { payment } from 'serai/payment'
import { createCheckout, expire, RETURNS, read, testConnection } from './checkouts.ts'
import { currencies, THREE_DECIMALS } from './currencies.ts'
import { credentials, HOST, LABEL, settings } from './fields.ts'
import { payouts } from './payouts.ts'
import { refund } from './refunds.ts'
import { webhook } from './webhook.ts'

export default payment({
  slug: 'stripe',
  label: LABEL,
  website: 'https://docs.stripe.com/payments/checkout',
  net: [HOST],
  credentials,
  settings,
  // A conservative guess of the quota.
  rateWindows: [{ calls: 20, seconds: 1 }],
  currencies: [...currencies],
  unit: 'minor',
  steps: Object.fromEntries(THREE_DECIMALS.map((code) => [code, 10])),
  returns: RETURNS,
  refunds: { partial: true, exactlyOnce: 'idempotencyKey' },
  testConnection,
  createCheckout,
  read,
  expire,
  refund,
  payouts,
  webhook,
})
