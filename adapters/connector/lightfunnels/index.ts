import { connector, printed, text } from 'serai/connector'
import { graphql, LABEL, row } from './api.ts'
import { type Context, credentials, settings } from './fields.ts'
import { pull, readOrder } from './orders.ts'
import { ownProducts } from './products.ts'
import { subscribe, unsubscribe, webhook } from './webhook.ts'

const accountOf = async (context: Context) =>
  row((await graphql(context, 'query { account { id account_name } }', {}, { readsOnly: true })).account)

async function testConnection(context: Context) {
  const name = text((await accountOf(context)).account_name)
  return name === undefined ? {} : { account: name }
}

export default connector({
  slug: 'lightfunnels',
  label: LABEL,
  website: 'https://developer.lightfunnels.com',
  net: ['app.lightfunnels.com', 'services.lightfunnels.com', 'api.lightfunnels.com'],
  credentials,
  settings,
  // The quota is not published: a guess.
  rateWindows: [{ calls: 60, seconds: 60 }],
  branded: ['ownProducts'],
  oauth: {
    authorizeUrl: 'https://app.lightfunnels.com/admin/oauth',
    tokenUrl: 'https://{tokenHost}/oauth/{tokenPath}',
    client: { id: 'clientId', secret: 'clientSecret' },
    scopes: ['products', 'orders', 'customers', 'funnels'],
    scopeSeparator: ',',
    asks: 'json',
    pkce: false,
    refresh: 'none',
  },
  install: ['oauth'],
  testConnection,
  account: async (context) => printed((await accountOf(context)).id, 200) ?? null,
  pull,
  readOrder,
  subscribe,
  unsubscribe,
  ownProducts,
  webhook,
})
