import { type CarrierContext, type Fields, usualSize, utcOffset } from 'serai/carrier'

const uuid = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

export const credentials = {
  apiKey: { label: 'API key', secret: true, help: 'From the API keys of your ZR Express account (the new platform).' },
  tenant: { label: 'Tenant', pattern: uuid, help: 'The tenant’s UUID, shown beside the API key.' },
  webhookSecret: {
    label: 'Webhook secret',
    secret: true,
    optional: true,
    help: 'Begins with whsec_; setting up the webhook fills it in. Without it no callback is believed.',
  },
} as const satisfies Fields

export const settings = {
  shipAtOnce: {
    label: 'Ship at once',
    type: 'boolean',
    default: true,
    help: 'Off: parcels wait in the first state, which no hub picks up, until they are validated.',
  },
  readyState: {
    label: 'State in which hubs pick up',
    default: 'pret_a_expedier',
    help: 'Its name or id in your workflow, where your tenant calls it otherwise.',
  },
  createCustomer: {
    label: 'Create the customer first',
    type: 'boolean',
    default: true,
    help: 'Off: a made-up customer id is sent, which has been seen to work and saves a call a parcel.',
  },
  fromStateCode: {
    label: 'Sending wilaya',
    optional: true,
    pattern: '0[1-9]|[1-4][0-9]|5[0-8]',
    help: 'Two digits, 01 to 58. Needed for fees and rates only.',
  },
  labelFormat: { label: 'Label format', options: ['a4', 'a6'], default: 'a6' },
  requestChanges: {
    label: 'Ask for changes of locked parcels',
    type: 'boolean',
    default: false,
    help: 'On: what a locked parcel no longer takes is asked for as a modification request.',
  },
  filterEquals: {
    label: 'Filter word for “equals”',
    default: 'eq',
    pattern: '[A-Za-z=]{1,20}',
    help: 'Saves calls when many parcels are tracked.',
  },
  acceptedStatus: { label: 'Status of an accepted payout', default: 'Accepted' },
  stockQuantityField: { label: 'Field of a product that holds its quantity', default: 'quantity', pattern: '[A-Za-z]{1,40}' },
  utcOffset: { ...utcOffset, label: 'Zone of times that come without one', default: '+00:00' },
  ...usualSize,
} as const satisfies Fields

export type Context = CarrierContext<typeof credentials, typeof settings>
