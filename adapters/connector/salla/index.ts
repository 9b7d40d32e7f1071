import { connector, printed, word } from 'serai/connector'
import { ACCOUNTS, API, call, LABEL, row } from './api.ts'
import { type Context, credentials, settings } from './fields.ts'
import { pull, readOrder } from './orders.ts'
import { pushStatus } from './push-status.ts'
import { subscribe, unsubscribe, webhook } from './webhook.ts'

/** Reads the shop that the token belongs to. */
async function merchantOf(context: Context) {
  const said = await call(context, 'GET', `https://${ACCOUNTS}/oauth2/user/info`)
  return row(said.merchant ?? row(said.data).merchant)
}

/** Tests the token: reads its shop, and one order to test that permission. */
async function testConnection(context: Context) {
  await call(context, 'GET', 'orders', { query: { per_page: 1 } })
  const merchant = await merchantOf(context)
  const account = printed([merchant.name, merchant.id].map(word).filter(Boolean).join(', '), 300)
  return account === undefined ? {} : { account }
}

export default connector({
  slug: 'salla',
  label: LABEL,
  website: 'https://docs.salla.dev',
  net: [ACCOUNTS, API],
  credentials,
  settings,
  // Quota of the smallest plan; larger plans have more.
  rateWindows: [{ calls: 120, seconds: 60 }],
  oauth: {
    authorizeUrl: `https://${ACCOUNTS}/oauth2/auth`,
    tokenUrl: `https://${ACCOUNTS}/oauth2/token`,
    client: { id: 'clientId', secret: 'clientSecret' },
    scopes: ['offline_access', 'orders.read_write', 'shipping.read', 'webhooks.read_write'],
    answer: { expiresAt: 'expires' },
    pkce: false,
    refresh: 'rotating',
  },
  install: ['oauth'],
  // Explicit, to leave quota for callbacks: one order takes up to four calls.
  rereadMinutes: 240,
  shopInBody: { path: 'merchant', setting: 'merchant' },
  testConnection,
  account: async (context) => printed(word((await merchantOf(context)).id), 200) ?? null,
  pull,
  readOrder,
  subscribe,
  unsubscribe,
  pushStatus,
  webhook,
})
