import { payment } from 'serai/payment'
import { credentials, hosts, settings } from './fields.ts'
import { createCheckout, read, testConnection } from './invoices.ts'
import { webhook } from './webhook.ts'

export default payment({
  slug: 'slickpay',
  label: 'SlickPay',
  website: 'https://slick-pay.com',
  net: Object.values(hosts),
  credentials,
  settings,
  // The quota is not published: a conservative guess.
  rateWindows: [{ calls: 60, seconds: 60 }],
  currencies: ['DZD'],
  unit: 'major',
  testConnection,
  createCheckout,
  read,
  webhook,
})
