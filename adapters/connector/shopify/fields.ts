import type { AdapterContext, Fields } from 'serai/connector'

export const credentials = {
  clientId: { label: 'Client ID', optional: true, help: 'Of an app of your own. Left out, the app of this server signs in.' },
  clientSecret: { label: 'Client secret', secret: true, optional: true },
  accessToken: { label: 'Access token', secret: true, optional: true },
} as const satisfies Fields

export const settings = {
  shop: {
    label: 'Host of the shop',
    pattern: '[a-z0-9][a-z0-9-]*\\.myshopify\\.com',
    help: 'The one that ends in .myshopify.com, also where customers know the shop by another.',
  },
  apiVersion: {
    label: 'Version of the interface',
    default: '2026-10',
    pattern: '20[0-9]{2}-(01|04|07|10)',
    help: 'Each is served for a year at least.',
  },
  notifyCustomer: {
    label: 'Let the shop write to its customer',
    options: ['no', 'yes'],
    default: 'no',
    help: 'When the parcel leaves, and when its number changes.',
  },
  paidWhenDelivered: {
    label: 'Mark as paid what was delivered',
    options: ['no', 'yes'],
    default: 'no',
    help: 'Of orders that the shop says are not paid.',
  },
} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>
