import { type CarrierContext, type Fields, usualSize, utcOffset } from 'serai/carrier'

export const credentials = {
  apiId: { label: 'API ID', help: 'From the developer section of the carrier’s dashboard.' },
  apiToken: { label: 'API token', secret: true, help: 'From the same page as the API ID.' },
  webhookSecret: {
    label: 'Webhook secret',
    secret: true,
    optional: true,
    help: 'Shown when a webhook is created in the carrier’s dashboard. Without it no callback is believed.',
  },
} as const satisfies Fields

export const settings = {
  fromStateCode: { label: 'Sending wilaya', pattern: '0[1-9]|[1-4][0-9]|5[0-8]', help: 'Two digits, 01 to 58.' },
  doInsurance: { label: 'Insure parcels', type: 'boolean', default: false },
  freeShipping: {
    label: 'We pay the delivery',
    type: 'boolean',
    default: true,
    help: 'On: the carrier collects the order’s total alone, which already holds the delivery price.',
  },
  economic: { label: 'Economic service', type: 'boolean', default: false, help: 'Known of Guepex; ask the others.' },
  signatureHeader: {
    label: 'Signature header of callbacks',
    default: 'X-YALIDINE-SIGNATURE',
    pattern: '[A-Za-z0-9_-]{1,64}',
  },
  utcOffset,
  ...usualSize,
} as const satisfies Fields

export type Context = CarrierContext<typeof credentials, typeof settings>
