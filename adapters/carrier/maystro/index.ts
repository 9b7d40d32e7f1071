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

/** Creates a token by sign-in. The endpoint is not published, so the settings name it. */
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
  // The quota is not published; other clients keep to this one.
  rateWindows: [{ calls: 45, seconds: 60 }],
  deliveryTypes: ['home', 'pickup'],
  // Includes `on_hold`: an order that is out of stock has not left either.
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
