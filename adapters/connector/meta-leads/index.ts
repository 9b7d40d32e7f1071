import { connector, printed, unreadable, word } from 'serai/connector'
import { type Context, credentials, GRAPH, LABEL, settings } from './fields.ts'
import { graph } from './graph.ts'
import { pull, readOrder } from './leads.ts'
import { configure, forms, pages, subscribe, unsubscribe } from './setup.ts'
import { webhook } from './webhook.ts'

async function testConnection(context: Context) {
  const me = await graph(context, 'me', { query: { fields: 'id,name' } })
  const id = word(me.id)
  if (id === undefined) throw unreadable(LABEL, 'no user')
  return { account: printed(me.name, 200) ?? id }
}

export default connector({
  slug: 'meta-leads',
  label: 'Meta lead forms',
  website: 'https://developers.facebook.com/docs/marketing-api/guides/lead-ads',
  net: ['www.facebook.com', GRAPH],
  credentials,
  settings,
  // Meta's quota grows with the leads of a page; this stays below the smallest one.
  rateWindows: [{ calls: 200, seconds: 3600 }],
  oauth: {
    authorizeUrl: 'https://www.facebook.com/{apiVersion}/dialog/oauth',
    tokenUrl: `https://${GRAPH}/{apiVersion}/oauth/access_token`,
    client: { id: 'clientId', secret: 'clientSecret' },
    scopes: ['pages_show_list', 'pages_read_engagement', 'pages_manage_metadata', 'pages_manage_ads', 'leads_retrieval', 'ads_management'],
    scopeSeparator: ',',
    pkce: false,
    refresh: 'none',
    asks: 'query',
    exchange: { grant: 'fb_exchange_token', parameter: 'fb_exchange_token' },
    answer: { error: 'error.code' },
    refusals: ['190'],
  },
  install: ['oauth'],
  shopInBody: { path: 'entry.id', setting: 'pageId' },
  subscribesApp: true,
  uniqueOrders: true,
  testConnection,
  account: ({ settings: { pageId } }) => pageId || null,
  pages,
  forms,
  configure,
  pull,
  readOrder,
  subscribe,
  unsubscribe,
  webhook,
})
