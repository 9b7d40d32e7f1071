import { payment } from 'serai/payment'
import { capture, createCheckout, expire, RETURNS, read, refund } from './checkouts.ts'
import { credentials, digits, settings } from './fields.ts'
import { payouts } from './payouts.ts'
import { webhook } from './webhook.ts'

/** Gateway without an account, to test every outcome of a payment by hand or by program. */
export default payment({
  slug: 'sandbox-payment',
  label: 'Sandbox payment',
  net: [],
  credentials,
  settings,
  rateWindows: [],
  currencies: Object.keys(digits),
  unit: 'minor',
  returns: RETURNS,
  refunds: { partial: true, exactlyOnce: 'idempotencyKey' },
  testConnection: () => ({ account: 'sandbox' }),
  createCheckout,
  read,
  capture,
  expire,
  refund,
  payouts,
  webhook,
})
