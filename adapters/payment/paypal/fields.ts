import type { AdapterContext, Fields } from 'serai/payment'

export const LABEL = 'PayPal'
export const hosts = { sandbox: 'api-m.sandbox.paypal.com', live: 'api-m.paypal.com' } as const

export const credentials = {
  clientId: {
    label: 'Client ID',
    help: 'Of a REST app, from the developer dashboard of PayPal. The sandbox and the live mode have apps of their own.',
  },
  clientSecret: { label: 'Client secret', secret: true, help: 'The secret of the same app.' },
  webhookId: {
    label: 'Webhook ID',
    optional: true,
    help: 'Shown by the app once the address of callbacks was entered there. Without it no callback is believed, and PayPal is only asked.',
  },
} as const satisfies Fields

export const settings = {
  mode: {
    label: 'Mode',
    options: ['sandbox', 'live'],
    default: 'sandbox',
    help: 'No money moves in the sandbox. Each has an app of its own.',
  },
  brandName: {
    label: 'Name of the shop on PayPal’s page',
    optional: true,
    pattern: '.{1,127}',
    help: 'Left out, it is as your account has it.',
  },
  landingPage: {
    label: 'What the payer sees first',
    options: ['LOGIN', 'GUEST_CHECKOUT', 'NO_PREFERENCE'],
    optional: true,
    help: 'Left out, PayPal decides.',
  },
} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>

/** Returns the root address of calls. */
export const rootOf = ({ settings }: Context): string => `https://${settings.mode === 'live' ? hosts.live : hosts.sandbox}`
