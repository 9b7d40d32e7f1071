import type { CarrierContext, Fields } from 'serai/carrier'

export const credentials = {
  webhookSecret: {
    label: 'Webhook secret',
    secret: true,
    optional: true,
    help: 'Any text. Callbacks are signed with it; without one none is believed.',
  },
} as const satisfies Fields

export const settings = {
  fromStateCode: {
    label: 'Sending state',
    pattern: '0[1-9]|[1-4][0-9]|5[0-8]',
    default: '16',
    help: 'Two digits, 01 to 58. Deliveries within it are cheaper.',
  },
  drafts: {
    label: 'Take parcels as drafts',
    type: 'boolean',
    default: false,
    help: 'A draft becomes a real parcel when it is validated.',
  },
} as const satisfies Fields

export type Sandbox = CarrierContext<typeof credentials, typeof settings>
