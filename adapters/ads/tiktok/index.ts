import { ads } from 'serai/ads'
import { EVENTS_AT_ONCE, sendEvents, testEvent } from './events.ts'
import { credentials, HOST, LABEL, settings } from './fields.ts'
import { insights, ROWS_AT_ONCE } from './insights.ts'
import { adAccounts, adsets, ads as adsOf, campaigns, pixels, testConnection } from './reads.ts'

export default ads({
  // The slug `tiktok` belongs to the sign-in adapter.
  slug: 'tiktok-ads',
  label: LABEL,
  website: 'https://business-api.tiktok.com/portal',
  net: [HOST],
  credentials,
  settings,
  // The quota depends on what the app was granted; this is a conservative guess.
  rateWindows: [{ calls: 300, seconds: 60 }],
  oauth: {
    authorizeUrl: `https://${HOST}/portal/auth`,
    tokenUrl: `https://${HOST}/open_api/v1.3/oauth2/access_token/`,
    client: { id: 'clientId', secret: 'clientSecret' },
    scopes: [],
    pkce: false,
    refresh: 'none',
    asks: 'json',
    names: { clientId: 'app_id', clientSecret: 'secret', code: 'auth_code' },
    answer: { accessToken: 'data.access_token', error: 'code' },
    refusals: ['40105'],
  },
  branded: ['sendEvent', 'sendEvents', 'testEvent'],
  events: [
    'CompletePayment',
    'Purchase',
    'PlaceAnOrder',
    'InitiateCheckout',
    'AddToCart',
    'ViewContent',
    'SubmitForm',
    'CompleteRegistration',
    'Contact',
    'Search',
    'AddPaymentInfo',
    'Lead',
  ],
  customEvents: true,
  eventsToken: 'eventsToken',
  browser: { clickId: 'ttclid', browserId: '_ttp' },
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
