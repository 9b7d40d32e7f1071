import type { AdapterContext, Fields } from 'serai/connector'

export const credentials = {
  clientId: { label: 'Client ID', optional: true, help: 'Of an app of your own, not embedded. Left out, the app of this server signs in.' },
  clientSecret: { label: 'Client secret', secret: true, optional: true },
  accessToken: { label: 'Access token', secret: true, optional: true },
} as const satisfies Fields

export const settings = {
  cancelledStatuses: {
    label: 'Statuses that call an order off',
    default: 'cancelled,canceled,refunded',
    help: 'The short names of the shop’s own statuses, with commas between them.',
  },
  fulfilledStatuses: {
    label: 'Statuses of orders that were handled there',
    default: 'fulfilled,shipped,delivered,completed',
    help: 'They do not become orders here.',
  },
} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>
