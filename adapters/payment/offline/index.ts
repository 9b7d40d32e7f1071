import { payment } from 'serai/payment'
import { createCheckout, expire, read, settle } from './checkouts.ts'
import { currencies } from './currencies.ts'
import { type Context, credentials, LABEL, settings } from './fields.ts'

/** Money that no gateway sees: a payer sends a picture of the receipt, and a person of whoever is paid says whether the money is there. */
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
  settle,
})
