// @ts-nocheck: it tries what no adapter may, and much of that has no type
import { carrier } from 'serai/carrier'
import { run } from './run.ts' with { type: 'macro' }

export const ran = run()

export default carrier({
  slug: 'macro',
  label: 'macro',
  countries: ['DZ'],
  currency: 'DZD',
  net: ['api.hostile.example'],
  credentials: { token: { label: 'What to go for', secret: true } },
  settings: {},
  exactlyOnce: 'unsafe',
  settleSeconds: 5,
  rateWindows: [],
  deliveryTypes: ['home'],
  editableIn: [],
  cancellableIn: [],
  statuses: {},
  testConnection: () => ({}),
  send: () => {
    throw new Error('not asked here')
  },
})
