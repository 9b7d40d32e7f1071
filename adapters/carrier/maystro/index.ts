import { carrier, type SignIn, signInBy } from 'serai/carrier'
import { LABEL } from './api.ts'
import { type Context, credentials, hosts, settings } from './fields.ts'
import { cities, fetchWilayas, states } from './geography.ts'
import { labels } from './labels.ts'
import { cancel, edit, editable, send } from './orders.ts'
import { TRACK_MAX, track } from './parcels.ts'
import { statuses } from './statuses.ts'
import { fees, rates } from './tariffs.ts'
import { setupWebhook, webhook } from './webhook.ts'

async function testConnection(context: Context) {
  await fetchWilayas(context)
  return {}
}

/** How that is done is not published: the settings say it. */
const createToken = async (context: Context, login: SignIn) => ({
  apiToken: await signInBy(context, LABEL, `https://${context.settings.host}/api`, context.settings, login),
})

export default carrier({
  slug: 'maystro',
  label: 'Maystro Delivery',
  website: 'https://maystro.gitbook.io/maystro-delivery-documentation',
  countries: ['DZ'],
  currency: 'DZD',
  net: hosts,
  branded: ['createToken'],
  credentials,
  settings,
  exactlyOnce: 'unsafe',
  settleSeconds: 30,
  // Not published; a floor that others keep to.
  rateWindows: [{ calls: 45, seconds: 60 }],
  deliveryTypes: ['home', 'pickup'],
  // On hold, it may be out of stock, which Maystro has not sent off either.
  editableIn: ['submitted', 'on_hold'],
  editable,
  cancellableIn: ['submitted', 'on_hold'],
  statuses,
  testConnection,
  createToken,
  send,
  edit,
  cancel,
  track,
  trackMax: TRACK_MAX,
  labels,
  states,
  cities,
  fees,
  rates,
  setupWebhook,
  webhook,
})
