import type { AdapterContext, Fields } from 'serai/ads'

export const LABEL = 'Meta'
export const GRAPH = 'graph.facebook.com'

export const credentials = {
  clientId: { label: 'App ID', optional: true, pattern: '[0-9]{1,30}', help: "The store's own app; left out, that of the platform." },
  clientSecret: { label: 'App secret', secret: true, optional: true },
  accessToken: { label: 'Access token', secret: true, optional: true },
} as const satisfies Fields

export const settings = {
  apiVersion: {
    label: 'Version of the Graph API',
    default: 'v26.0',
    pattern: 'v[0-9]{1,3}\\.[0-9]{1,2}',
    help: 'Versions of the Marketing API end after about a year.',
  },
  wholeCurrencies: {
    label: 'Currencies without a lesser unit',
    default: 'CLP,COP,CRC,HUF,IDR,ISK,JPY,KRW,PYG,TWD,VND',
    pattern: '([A-Z]{3}(,[A-Z]{3}){0,60})?',
    help: 'Budgets are in the minor unit of a currency: a hundredth of the major one, except for these.',
  },
} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>
