import { type AdapterContext, CarrierError, carrier } from 'serai/carrier'

const API = 'https://api.passport.example'
const LOGIN = 'https://login.passport.example'

const client = {
  clientId: { label: 'Client id', optional: true },
  clientSecret: { label: 'Client secret', secret: true, optional: true },
} as const
const accessToken = { label: 'Access token', secret: true, optional: true } as const

async function ask({ fetch, credentials }: AdapterContext, path: string): Promise<string> {
  const answer = await fetch(`${API}${path}`, { headers: { authorization: `Bearer ${credentials.accessToken ?? credentials.key}` } })
  if (answer.status === 401) throw new CarrierError('unauthorized', 'Passport does not know this token.')
  if (!answer.ok) throw new CarrierError('unavailable', `Passport answered ${answer.status}.`)
  return answer.text()
}

const usual = {
  countries: ['DZ'],
  currency: 'DZD',
  net: ['api.passport.example', 'login.passport.example', '*.shops.passport.example'],
  settings: {},
  exactlyOnce: 'idempotencyKey',
  settleSeconds: 20,
  rateWindows: [],
  deliveryTypes: ['home'],
  editableIn: [],
  cancellableIn: [],
  statuses: {},
  testConnection: async (context: AdapterContext) => ({ account: await ask(context, '/me') }),
  states: async (context: AdapterContext) => [{ id: '16', name: await ask(context, '/states'), deliverable: true }],
  rates: async (context: AdapterContext) => [
    { service: await ask(context, '/open'), deliveryType: 'home' as const, price: 1, currency: 'DZD' },
  ],
  send: () => {
    throw new CarrierError('refused', 'Passport brings nothing anywhere.')
  },
} as const

const oauthOf = (style: string) => ({
  authorizeUrl: `${LOGIN}/${style}/authorize`,
  tokenUrl: `${LOGIN}/${style}/token`,
  client: { id: 'clientId', secret: 'clientSecret' },
  scopes: ['parcels:read', 'parcels:write'],
})

/** Carriers of which one signs in at the same platform, each in the way of another: as the standard has it, and as platforms deviate. */
export default [
  carrier({
    ...usual,
    slug: 'passport',
    label: 'Passport',
    credentials: { ...client, accessToken },
    oauth: {
      ...oauthOf('plain'),
      revokeUrl: `${LOGIN}/plain/revoke`,
      refresh: 'rotating',
      parameters: { authorize: { access_type: 'offline' } },
    },
    webhook: {
      receive: ({ headers }, { credentials }) =>
        headers['x-proof'] === credentials.clientSecret ? { outcome: 'events', signed: true, events: [] } : { outcome: 'invalid' },
    },
  }),
  carrier({
    ...usual,
    slug: 'passport-basic',
    label: 'Passport, Basic',
    credentials: { ...client, accessToken },
    oauth: { ...oauthOf('basic'), clientAuth: 'basic', refresh: 'kept' },
  }),
  carrier({
    ...usual,
    slug: 'passport-nested',
    label: 'Passport, nested',
    credentials: { ...client, accessToken, merchant: { label: 'Merchant', secret: true, optional: true } },
    oauth: {
      ...oauthOf('nested'),
      pkce: false,
      refresh: 'rotating',
      asks: 'json',
      scopeSeparator: ',',
      names: { clientId: 'app_id', clientSecret: 'secret', code: 'auth_code' },
      answer: { accessToken: 'data.access_token', refreshToken: 'data.refresh_token', expiresAt: 'data.expires', error: 'code' },
      fills: { merchant: 'data.merchant' },
      refusals: ['40105'],
    },
    testConnection: async (context: AdapterContext) => ({ account: `${await ask(context, '/me')} ${context.credentials.merchant}` }),
  }),
  carrier({
    ...usual,
    slug: 'passport-lasting',
    label: 'Passport, lasting',
    credentials: { ...client, accessToken, shop: { label: 'Shop' } },
    oauth: {
      ...oauthOf('lasting'),
      authorizeUrl: 'https://{shop}/lasting/authorize',
      refresh: 'none',
      asks: 'query',
      names: { scope: 'scope[]' },
      exchange: { grant: 'lasting_token', parameter: 'short_token' },
    },
  }),
  carrier({ ...usual, slug: 'passport-key', label: 'Passport, by key', credentials: { key: { label: 'Key', secret: true } } }),
]
