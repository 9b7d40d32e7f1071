import type { AdapterContext, Fields } from 'serai/connector'

export const credentials = {
  clientId: { label: 'Client ID', optional: true, help: 'Of an app of your own. Left out, the app of this server signs in.' },
  clientSecret: { label: 'Client secret', secret: true, optional: true },
  accessToken: { label: 'Token of the shop', secret: true, optional: true },
  authorization: { label: 'Token of the app', secret: true, optional: true },
  webhookSecret: {
    label: 'Password of callbacks',
    secret: true,
    optional: true,
    help: 'Left out, one is made when callbacks are asked for.',
  },
} as const satisfies Fields

export const settings = {
  applicationId: {
    label: 'Number of the app',
    default: '1',
    pattern: '[0-9]{1,15}',
    help: 'As the partners’ dashboard has it. Callbacks are asked for, and ended, under it.',
  },
} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>
