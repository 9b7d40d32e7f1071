import { type AdapterContext, type Fields, sharedSettings } from 'serai/social'

export const credentials = {
  clientId: { label: 'App ID', pattern: '[0-9]{1,30}' },
  clientSecret: { label: 'App secret', secret: true },
} as const satisfies Fields

export const settings = {
  ...sharedSettings,
  apiVersion: {
    label: 'Version of the Graph API',
    default: 'v26.0',
    pattern: 'v[0-9]{1,3}\\.[0-9]{1,2}',
    help: 'Versions end some two years after they came.',
  },
  limitedLogin: {
    label: 'Limited Login',
    type: 'boolean',
    default: false,
    help: 'Take the identity tokens that apps on iOS are given where tracking is declined.',
  },
} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>
