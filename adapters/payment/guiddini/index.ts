import { payment } from 'serai/payment'
import { credentials, HOST, settings } from './fields.ts'
import { createCheckout, read, testConnection } from './payments.ts'

export default payment({
  slug: 'guiddini',
  label: 'Guiddini Pay',
  website: 'https://epay.guiddini.dz',
  net: [HOST],
  credentials,
  settings,
  // The quota is not published: a conservative guess.
  rateWindows: [{ calls: 60, seconds: 60 }],
  branded: ['notified'],
  currencies: ['DZD'],
  unit: 'major',
  minimum: 50,
  returns: 'order_number',
  testConnection,
  createCheckout,
  read,
})
