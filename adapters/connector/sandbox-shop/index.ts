import { connector } from 'serai/connector'
import { credentials, settings } from './fields.ts'
import { pull, pushStatus } from './store.ts'
import { subscribe, unsubscribe, webhook } from './webhook.ts'

/** Shop without an account or network calls, to test imports. */
export default connector({
  slug: 'sandbox-shop',
  label: 'Sandbox shop',
  net: [],
  credentials,
  settings,
  rateWindows: [],
  install: ['keys'],
  shop: 'shop',
  shopHeader: 'x-sandbox-shop',
  testConnection: ({ settings: { shop } }) => ({ account: shop }),
  pull,
  subscribe,
  unsubscribe,
  pushStatus,
  webhook,
})
