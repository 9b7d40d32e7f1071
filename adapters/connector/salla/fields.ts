import type { AdapterContext, Fields } from 'serai/connector'

export const credentials = {
  clientId: { label: 'Client ID', optional: true, help: 'Of an app of your own. Left out, the app of this server signs in.' },
  clientSecret: { label: 'Client secret', secret: true, optional: true },
  accessToken: { label: 'Access token', secret: true, optional: true },
  webhookSecret: {
    label: 'Webhook secret of the app',
    secret: true,
    optional: true,
    help: 'The partners’ portal shows it. Needed in easy mode, and where webhooks of the app itself are used, and not those that are asked for here.',
  },
  callbackToken: {
    label: 'Token of callbacks',
    secret: true,
    optional: true,
    help: 'Left out, one is made when callbacks are asked for.',
  },
} as const satisfies Fields

export const settings = {
  merchant: {
    label: 'Number of the shop',
    optional: true,
    pattern: '[0-9]{1,20}',
    help: 'The connection test shows it. News of other shops are left out then, and webhooks of the app itself may come to one address. Needed in easy mode.',
  },
  unpaidStatuses: {
    label: 'Statuses of what is no order yet',
    default: 'payment_pending,payment_failed,waiting_for_payment_confirmation',
    optional: true,
    help: 'Salla’s short names, with commas between them.',
  },
  sentStatus: {
    label: 'Status of an order that a carrier has',
    default: 'shipped',
    optional: true,
    help: 'A short name of Salla’s, such as shipped or delivering. If empty, no status is sent then.',
  },
  returnedStatus: {
    label: 'Status of an order that came back',
    default: '',
    optional: true,
    help: 'Such as restoring or restored. If empty, no status is sent, because it can trigger a refund.',
  },
} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>
