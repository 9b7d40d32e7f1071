import type { AdapterContext, Fields } from 'serai/payment'

export const HOST = 'api.stripe.com'
export const LABEL = 'Stripe'

export const credentials = {
  secretKey: {
    label: 'Secret key',
    secret: true,
    help: 'From “API keys” of Stripe’s dashboard: sk_test_… for tests, sk_live_… for real money, or a restricted key that may write Checkout Sessions and Refunds and read Charges, Payouts and Balance transactions.',
  },
  webhookSecret: {
    label: 'Signing secret of the webhook',
    secret: true,
    optional: true,
    help: 'whsec_…, shown by the dashboard once the address of callbacks was entered there. Without it no callback is believed, and Stripe is only asked.',
  },
} as const satisfies Fields

export const settings = {
  payableMinutes: {
    label: 'Minutes that a page can be paid',
    options: ['30', '60', '120', '360', '720'],
    optional: true,
    help: 'Left out, a day, as Stripe has it.',
  },
} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>
