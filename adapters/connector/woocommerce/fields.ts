import type { AdapterContext, Fields } from 'serai/connector'

export const credentials = {
  consumerKey: {
    label: 'Consumer key',
    secret: true,
    pattern: 'ck_[A-Za-z0-9]{8,100}',
    help: 'WooCommerce → Settings → Advanced → REST API, with read and write access.',
  },
  consumerSecret: { label: 'Consumer secret', secret: true, pattern: 'cs_[A-Za-z0-9]{8,100}' },
  webhookSecret: {
    label: 'Secret of callbacks',
    secret: true,
    optional: true,
    help: 'Left out, one is made when callbacks are asked for.',
  },
} as const satisfies Fields

export const settings = {
  shop: {
    label: 'Host of the shop',
    pattern: '([a-z0-9-]+\\.)+[a-z0-9-]{2,}',
    help: 'Without https:// and without a path: shop.example. The shop must answer over https.',
  },
  keysIn: {
    label: 'How the keys are sent',
    options: ['header', 'query'],
    default: 'header',
    help: 'Some hosts take the header away before the shop sees it: then in the query.',
  },
  permalinks: {
    label: 'Addresses of the shop',
    options: ['pretty', 'plain'],
    default: 'pretty',
    help: 'Plain where Settings → Permalinks of WordPress says so.',
  },
  pushStock: {
    label: 'Set the stock of the shop',
    options: ['off', 'on'],
    default: 'off',
    help: 'On: sends the free stock to the shop whenever it changes here, for products with the same SKU.',
  },
  paidStatuses: {
    label: 'Statuses that become orders here',
    default: 'processing,on-hold',
    help: 'The shop’s own words, with commas between them. Others are not brought over until they become one of these.',
  },
  sentStatus: {
    label: 'Status that the shop is given when a parcel is sent',
    default: '',
    optional: true,
    help: 'Left out, its status stays until the parcel is delivered: then it is completed.',
  },
} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>
