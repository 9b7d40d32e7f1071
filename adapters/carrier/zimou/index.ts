import { carrier } from 'serai/carrier'
import { host, label } from './api.ts'
import { credentials, settings } from './fields.ts'
import { centers, cities, fetchWilayas, states } from './geography.ts'
import { labels } from './labels.ts'
import { cancel, send } from './send.ts'
import { statuses } from './statuses.ts'
import { fees, rates } from './tariffs.ts'
import { track, trackMax } from './track.ts'

export default carrier({
  slug: 'zimou',
  label,
  website: `https://${host}/`,
  countries: ['DZ'],
  currency: 'DZD',
  net: [host],
  credentials,
  settings,
  exactlyOnce: 'unsafe',
  settleSeconds: 30,
  rateWindows: [{ calls: 45, seconds: 60 }],
  deliveryTypes: ['home', 'pickup'],
  exchanges: true,
  editableIn: [],
  cancellableIn: ['submitted'],
  statuses,
  async testConnection(context) {
    await fetchWilayas(context)
    return {}
  },
  send,
  cancel,
  track,
  trackMax,
  labels,
  states,
  cities,
  centers,
  fees,
  rates,
})
