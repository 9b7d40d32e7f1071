import { ads, unreadable, word } from 'serai/ads'
import { EVENTS_AT_ONCE, sendEvents, testEvent } from './events.ts'
import { type Context, credentials, GRAPH, LABEL, settings } from './fields.ts'
import { graph, listOf } from './graph.ts'
import { insights, ROWS_AT_ONCE } from './insights.ts'
import { adAccounts, adsets, ads as adsOf, campaigns, pixels } from './reads.ts'

/** Tests the connection. Users can decline single permissions at sign-in; without access to ad accounts nothing can be read. */
async function testConnection(context: Context) {
  const me = await graph(context, 'me', { query: { fields: 'id,name' } })
  const id = word(me.id)
  if (id === undefined) throw unreadable(LABEL, 'no user')
  await listOf(context, 'me/adaccounts', { fields: 'id', limit: 1 })
  return { account: (word(me.name) ?? id).replace(/\p{C}/gu, ' ').slice(0, 200) }
}

export default ads({
  slug: 'meta',
  label: LABEL,
  website: 'https://developers.facebook.com/docs/marketing-api',
  net: ['www.facebook.com', GRAPH],
  credentials,
  settings,
  // Meta's quota grows with the account's spend; this stays below the smallest one.
  rateWindows: [{ calls: 200, seconds: 3600 }],
  oauth: {
    authorizeUrl: 'https://www.facebook.com/{apiVersion}/dialog/oauth',
    tokenUrl: `https://${GRAPH}/{apiVersion}/oauth/access_token`,
    client: { id: 'clientId', secret: 'clientSecret' },
    scopes: ['ads_read', 'ads_management', 'business_management'],
    scopeSeparator: ',',
    pkce: false,
    refresh: 'none',
    asks: 'query',
    exchange: { grant: 'fb_exchange_token', parameter: 'fb_exchange_token' },
    answer: { error: 'error.code' },
    refusals: ['190'],
  },
  branded: ['sendEvent', 'sendEvents', 'testEvent'],
  events: [
    'Purchase',
    'Lead',
    'InitiateCheckout',
    'AddToCart',
    'ViewContent',
    'AddPaymentInfo',
    'CompleteRegistration',
    'Contact',
    'Search',
    'PageView',
  ],
  customEvents: true,
  browser: { clickId: 'fbclid', browserId: '_fbp' },
  limits: { eventsAtOnce: EVENTS_AT_ONCE, eventDays: 7, insightDays: 30, rowsAtOnce: ROWS_AT_ONCE },
  testConnection,
  adAccounts,
  campaigns,
  adsets,
  ads: adsOf,
  insights,
  pixels,
  sendEvents,
  testEvent,
})
