import type { AdapterContext, Fields } from 'serai/connector'

export const credentials = {
  apiKey: {
    label: 'API key',
    secret: true,
    help: 'EasyOrders → Public API, with rights to read products and orders, and to change orders.',
  },
  webhookSecret: {
    label: 'Secret of callbacks',
    secret: true,
    optional: true,
    help: 'What EasyOrders shows beside a webhook that was made by hand.',
  },
  callbackToken: {
    label: 'Token of callbacks',
    secret: true,
    optional: true,
    help: 'In the address of webhooks that EasyOrders made when its owner said yes; it comes by itself.',
  },
  storeId: {
    label: 'Number of the store',
    optional: true,
    help: 'Whose key it is; it comes by itself with a key that EasyOrders sends.',
  },
} as const satisfies Fields

export const settings = {
  currency: { label: 'Currency of the shop', default: 'EGP', pattern: '[A-Z]{3}', help: 'Its orders do not say it.' },
  listOrders: {
    label: 'Read the list of orders',
    options: ['off', 'on'],
    default: 'off',
    help: 'It is not in the documents of EasyOrders, and others use it. Off, orders come by callbacks alone.',
  },
} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>
