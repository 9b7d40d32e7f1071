import { payment } from 'serai/payment'
import { capture, createCheckout, expire, RETURNS, read, refund } from './checkouts.ts'
import { credentials, digits, settings } from './fields.ts'
import { payouts } from './payouts.ts'
import { webhook } from './webhook.ts'

/** A gateway without an account: everything that becomes of a payment can be rehearsed on it, by a person and by a program. */
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
