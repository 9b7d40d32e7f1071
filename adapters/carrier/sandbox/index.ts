import { carrier } from 'serai/carrier'
import { batch, batches, confirm, preview } from './cash.ts'
import { credentials, settings } from './fields.ts'
import { cancel, edit, findByReference, list, send, sendMany, track, validate } from './parcels.ts'
import { centers, cities, states } from './places.ts'
import { fees, rates, serviceFees } from './pricing.ts'
import { setupWebhook, webhook } from './webhook.ts'

/** Carrier without an account, to test the life of a parcel and its failures. */
export default carrier({
  slug: 'sandbox',
  label: 'Sandbox (rehearsal)',
  countries: ['DZ'],
  currency: 'DZD',
  net: [],
  credentials,
  settings,
  exactlyOnce: 'idempotencyKey',
  settleSeconds: 12,
  rateWindows: [],
  deliveryTypes: ['home', 'pickup'],
  exchanges: true,
  editableIn: ['submitted'],
  cancellableIn: ['submitted'],
  statuses: {
    draft: null,
    submitted: 'submitted',
    'picked up': 'picked_up',
    'in transit': 'in_transit',
    'at center': 'at_center',
    'out for delivery': 'out_for_delivery',
    'delivery failed': 'delivery_failed',
    'on hold': 'on_hold',
    delivered: { status: 'delivered', cash: 'collected' },
    returning: 'returning',
    returned: 'returned',
    cancelled: 'cancelled',
    lost: 'lost',
  },
  testConnection: () => ({ account: 'sandbox' }),
  send,
  sendMany,
  sendManyMax: 100,
  findByReference,
  edit,
  cancel,
  validate,
  track,
  trackMax: 100,
  list,
  states,
  cities,
  centers,
  fees,
  rates,
  serviceFees,
  stockProducts: () => [
    { id: 'SBX-BOX-S', sku: 'BOX-S', name: 'Small box', quantity: 120 },
    { id: 'SBX-BOX-L', sku: 'BOX-L', name: 'Large box', quantity: 40 },
  ],
  setupWebhook,
  webhook,
  cash: { preview, batches, batch, confirm },
})
