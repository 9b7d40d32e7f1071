import type { AdapterContext, Fields } from 'serai/connector'

export const credentials = {
  webhookSecret: {
    label: 'Secret of callbacks',
    secret: true,
    optional: true,
    help: 'Signs the shop’s callbacks. If empty, one is created when callbacks are set up.',
  },
} as const satisfies Fields

export const settings = {
  shop: {
    label: 'Name of the shop',
    default: 'sandbox-shop.example',
    pattern: '[a-z0-9.-]{1,253}',
    help: 'Only distinguishes several sandbox shops; it is never called.',
  },
  orders: { label: 'Orders that it has', type: 'number', default: 3, help: 'At most 100000. Each is the same whenever it is read.' },
  skus: { label: 'What it sells', default: 'SANDBOX-1', help: 'SKUs, with commas between them; its orders take them in turn.' },
  currency: { label: 'Currency', default: 'DZD', pattern: '[A-Z]{3}' },
} as const satisfies Fields

export type Sandbox = AdapterContext<typeof credentials, typeof settings>
