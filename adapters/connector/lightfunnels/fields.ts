import type { AdapterContext, Fields } from 'serai/connector'

export const credentials = {
  clientId: { label: 'Client ID', optional: true, help: 'Of an app of your own. Left out, the app of this server signs in.' },
  clientSecret: { label: 'Client secret', secret: true, optional: true },
  accessToken: { label: 'Access token', secret: true, optional: true },
} as const satisfies Fields

export const settings = {
  tokenHost: {
    label: 'Host that gives tokens',
    options: ['services.lightfunnels.com', 'api.lightfunnels.com'],
    default: 'services.lightfunnels.com',
    help: 'The other one is that of older apps.',
  },
  tokenPath: {
    label: 'Path there',
    options: ['access', 'access_token'],
    default: 'access',
    help: 'The other one is that of older apps.',
  },
  readDays: {
    label: 'Days for which orders are read again',
    type: 'number',
    default: 30,
    help: 'The list is sorted by when orders were made: those of so many days are looked through for changes every time.',
  },
} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>
