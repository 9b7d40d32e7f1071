import { carrier } from 'serai/carrier'
import { BULK_MAX, HOST, STORAGE } from './api.ts'
import { cancel, validate } from './drafts.ts'
import { edit, editable } from './edit.ts'
import { feedsOf } from './feed.ts'
import { type Context, credentials, settings } from './fields.ts'
import { centers, cities, fetchWilayas, states } from './geography.ts'
import { labels } from './labels.ts'
import { track } from './parcels.ts'
import { send, sendMany } from './send.ts'
import { statuses } from './statuses.ts'
import { fees, rates } from './tariffs.ts'

const NO_PARCEL = 'connection-test'

/** Tests the keys. Reads need the token alone, so a POST about an unknown parcel tests the GUID. */
async function testConnection(context: Context) {
  await fetchWilayas(context)
  await feedsOf(context, [NO_PARCEL])
  return {}
}

export default carrier({
  slug: 'noest',
  label: 'NOEST',
  website: 'https://app.noest-dz.com',
  countries: ['DZ'],
  currency: 'DZD',
  net: [HOST, STORAGE],
  credentials,
  settings,
  exactlyOnce: 'unsafe',
  settleSeconds: 45,
  rateWindows: [{ calls: 60, seconds: 60 }],
  deliveryTypes: ['home', 'pickup'],
  exchanges: true,
  editableIn: ['submitted'],
  editable,
  cancellableIn: ['submitted'],
  statuses,
  testConnection,
  send,
  sendMany,
  sendManyMax: BULK_MAX,
  edit,
  cancel,
  validate,
  track,
  trackMax: BULK_MAX,
  labels,
  states,
  cities,
  centers,
  fees,
  rates,
})
