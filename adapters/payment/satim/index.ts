import { payment } from 'serai/payment'
import { createCheckout, DINAR, read, testConnection } from './checkouts.ts'
import { credentials, HOSTS, settings } from './fields.ts'
import { refund } from './refunds.ts'

export default payment({
  slug: 'satim',
  label: 'SATIM (CIB, Edahabia)',
  net: [...HOSTS],
  credentials,
  settings,
  // The quota is not published: a conservative guess.
  rateWindows: [{ calls: 60, seconds: 60 }],
  currencies: ['DZD'],
  unit: 'minor',
  minimum: 5000,
  steps: { DZD: DINAR },
  returns: 'orderId',
  refunds: { partial: true, exactlyOnce: 'unsafe' },
  testConnection,
  createCheckout,
  read,
  refund,
})
