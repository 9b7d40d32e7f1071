import type { AdapterContext, Fields } from 'serai/connector'

export const LABEL = 'Meta'
export const GRAPH = 'graph.facebook.com'

export const credentials = {
  clientId: { label: 'App ID', optional: true, pattern: '[0-9]{1,30}', help: "The store's own app; left out, that of the platform." },
  clientSecret: { label: 'App secret', secret: true, optional: true },
  verifyToken: {
    label: 'Verify token',
    secret: true,
    optional: true,
    help: 'The words that were typed in beside the callback address in the dashboard of the app.',
  },
  pageToken: { label: 'Token of the page', secret: true, optional: true, help: 'Had when the page is chosen.' },
  accessToken: { label: 'Access token', secret: true, optional: true },
} as const satisfies Fields

export const settings = {
  apiVersion: { label: 'Version of the Graph API', default: 'v26.0', pattern: 'v[0-9]{1,3}\\.[0-9]{1,2}' },
  pageId: { label: 'Page', optional: true, pattern: '[0-9]{1,30}', help: 'Whose forms are read; chosen where the forms are.' },
  currency: {
    label: 'Currency',
    default: 'DZD',
    pattern: '[A-Z]{3}',
    help: 'Of the store: forms have no prices, and an order in another currency waits.',
  },
} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>
