import { carrier, isRow, text, unreadable } from 'serai/carrier'
import { call, host, label } from './api.ts'
import { cancel, edit, validate } from './change.ts'
import { setupWebhook } from './endpoints.ts'
import { type Context, credentials, settings } from './fields.ts'
import { centers } from './hubs.ts'
import { labels } from './labels.ts'
import { batch, batches, confirm, preview } from './money.ts'
import { list, track, trackMax } from './parcels.ts'
import { findByReference, send, sendMany, sendManyMax } from './send.ts'
import { codMax } from './shipment.ts'
import { statuses } from './statuses.ts'
import { stockProducts } from './stock.ts'
import { fees, rates, serviceFees } from './tariffs.ts'
import { cities, states } from './territories.ts'
import { webhook } from './webhook.ts'

async function testConnection(context: Context): Promise<{ account?: string }> {
  const profile = await call(context, 'GET', 'users/profile')
  if (!isRow(profile)) throw unreadable(label, 'no profile')
  const account = text(profile.email)
  return account === undefined ? {} : { account }
}

export default carrier({
  slug: 'zrexpress',
  label,
  website: 'https://docs.zrexpress.app/reference',
  countries: ['DZ'],
  currency: 'DZD',
  net: [host],
  credentials,
  settings,
  exactlyOnce: 'findByReference',
  settleSeconds: 30,
  rateWindows: [{ calls: 45, seconds: 60 }],
  deliveryTypes: ['home', 'pickup'],
  codMax,
  // Each tenant of the carrier chooses the locked states; the carrier refuses changes in them.
  editableIn: ['submitted', 'picked_up', 'in_transit', 'at_center', 'out_for_delivery', 'delivery_failed', 'on_hold'],
  editable: ['recipient', 'destination', 'codAmount'],
  cancellableIn: ['submitted'],
  statuses,
  testConnection,
  send,
  sendMany,
  sendManyMax,
  findByReference,
  edit,
  cancel,
  validate,
  track,
  trackMax,
  list,
  labels,
  states,
  cities,
  centers,
  fees,
  rates,
  serviceFees,
  stockProducts,
  setupWebhook,
  webhook,
  cash: { preview, batches, batch, confirm },
})
