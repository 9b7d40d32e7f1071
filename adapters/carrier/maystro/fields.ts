import { type CarrierContext, type Fields, signInFields, utcOffset } from 'serai/carrier'

export const hosts = ['backend.maystro-delivery.com', 'b.maystro-delivery.com', 'orders-management.maystro-delivery.com'] as const

export const credentials = {
  apiToken: { label: 'API token', secret: true, help: 'From Maystro’s panel.' },
  callbackToken: {
    label: 'Secret in the address of callbacks',
    secret: true,
    optional: true,
    help: 'Made when the webhook is set up from here. To set it up in Maystro’s panel, add ?token= and this to the address.',
  },
} as const satisfies Fields

export const settings = {
  host: { label: 'Server', options: hosts, default: hosts[0], help: 'Clients have been seen with each; Maystro says which is yours.' },
  authScheme: { label: 'How the token is sent', options: ['Token', 'bare'], default: 'Token' },
  deliveryTypeNumbers: {
    label: 'Numbers of home and stop-desk delivery',
    options: ['1 and 2', '0 and 1'],
    default: '1 and 2',
    help: 'The present documentation has 1 and 2, older clients send 0 and 1. Look at the first parcel in Maystro’s panel.',
  },
  ...signInFields('Maystro'),
  express: { label: 'Express service', type: 'boolean', default: false },
  utcOffset: { ...utcOffset, label: 'Zone of times that come without one' },
} as const satisfies Fields

export type Context = CarrierContext<typeof credentials, typeof settings>
