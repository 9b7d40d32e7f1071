import { connector } from 'serai/connector'
import { API, LABEL, read } from './api.ts'
import { type Context, credentials, settings } from './fields.ts'
import { pull, readOrder } from './orders.ts'
import { pushStatus } from './push-status.ts'
import { subscribe, unsubscribe, webhook } from './webhook.ts'

async function testConnection(context: Context) {
  await read(context, 'store/orders', { page: 1, per_page: 1 })
  return {}
}

export default connector({
  slug: 'zid',
  label: LABEL,
  website: 'https://docs.zid.sa',
  net: ['oauth.zid.sa', API],
  credentials,
  settings,
  // The documented quota of products, applied to all calls.
  rateWindows: [{ calls: 60, seconds: 60 }],
  oauth: {
    authorizeUrl: 'https://oauth.zid.sa/oauth/authorize',
    tokenUrl: 'https://oauth.zid.sa/oauth/token',
    client: { id: 'clientId', secret: 'clientSecret' },
    // Scopes are chosen in the partner dashboard.
    scopes: [],
    fills: { authorization: 'Authorization' },
    pkce: false,
    refresh: 'rotating',
  },
  install: ['oauth'],
  // Callbacks report new orders and statuses only, so other changes need another read.
  rereadMinutes: 60,
  testConnection,
  pull,
  readOrder,
  subscribe,
  unsubscribe,
  pushStatus,
  webhook,
})
