import { payment } from 'serai/payment'
import { createCheckout, expire, read, recordResult } from './checkouts.ts'
import { currencies } from './currencies.ts'
import { type Context, credentials, LABEL, settings } from './fields.ts'

/** Payments outside any gateway: the payer uploads a receipt, and a user of the payee confirms the money. */
export default payment({
  slug: 'offline',
  label: LABEL,
  net: [],
  credentials,
  settings,
  rateWindows: [],
  currencies: [...currencies],
  unit: 'minor',
  testConnection: ({ settings }: Context) => ({ account: settings.account ?? settings.place ?? 'no account yet' }),
  createCheckout,
  read,
  expire,
  settle: recordResult,
})
