import { carrier } from 'serai/carrier'

const SLOW_MS = 5_000
/** Longer than anybody waits for an answer. */
const SLOWER_MS = 11_000

/** A carrier that takes its time for each parcel, one at a time. */
export default carrier({
  slug: 'tortoise',
  label: 'Tortoise',
  countries: ['DZ'],
  currency: 'DZD',
  net: [],
  credentials: {},
  settings: {},
  exactlyOnce: 'idempotencyKey',
  settleSeconds: 30,
  rateWindows: [],
  deliveryTypes: ['home'],
  editableIn: [],
  cancellableIn: [],
  statuses: {},
  testConnection: () => ({}),
  async send(_, { reference, recipient: { name } }) {
    const ms = name.startsWith('SLOWER ') ? SLOWER_MS : name.startsWith('SLOW ') ? SLOW_MS : 0
    await new Promise((done) => setTimeout(done, ms))
    return { trackingId: `T-${reference}` }
  },
})
