import { exampleId } from '../../core/reference/examples/ids.ts'
import type { Schema } from '../support/openapi.ts'

type Values = Readonly<Record<string, unknown>>

const values: Values = {
  tenantId: 7,
  reference: 'ORD-1042',
  currency: 'DZD',
  name: 'Amina Saadi',
  phone: '+213550123456',
  country: 'DZ',
  stateCode: '16',
  currentStateCode: '16',
  stateName: 'Alger',
  cityName: 'Bab Ezzouar',
  address: 'Cité 5 Juillet, bâtiment 12',
  quantity: 1,
  price: 6500,
  unitPrice: 6500,
  subtotal: 6500,
  delivery: 600,
  discount: 0,
  total: 7100,
  amount: 7100,
  paid: 0,
  refunded: 0,
  deliveryPrice: 600,
  codAmount: 7100,
  declaredValue: 6500,
  weightKg: 1.2,
  contents: 'Wool basket, 30 cm',
  note: 'Call before you come.',
  notes: 'Call before you come.',
  description: 'Woven by hand of undyed wool, 30 cm wide.',
  slug: 'wool-basket',
  vendor: 'Maison Saadi',
  email: 'amina@example.dz',
  tag: 'baskets',
  value: '30 cm',
  option: 'Size',
  alt: 'The basket from the front',
  text: 'It came in two days and is well made.',
  title: 'Wool basket',
  rating: 5,
  sku: 'BSK-30',
  key: 'BSK-30',
  inventoryKey: 'BSK-30',
  namespace: 'main',
  batch: '',
  onHand: 25,
  reserved: 1,
  available: 24,
  balanceAfter: 25,
  confidence: 1,
  trackingId: 'SBX000000000000000042',
  courierId: 'sandbox',
  carrier: 'sandbox',
  gateway: 'sandbox-payment',
  source: 'poller',
  carrierStatus: 'EN LIVRAISON',
  code: 'carrier_refused',
  message: 'The carrier does not serve this town.',
  reason: '',
  method: 'exact',
  model: 'sandbox-model/writer',
  plan: 'standard',
  url: 'https://shop.example/files/basket.webp',
  deliveryAttempts: 1,
  stockKeeping: true,
  showStock: true,
  inStock: true,
  externalId: 'tr_00042',
}

/** Values of single events, where others would contradict the name of the event. */
const valuesByEvent: Readonly<Record<string, Values>> = {
  'ai.task.completed': { state: 'completed' },
  'ai.task.failed': { state: 'failed' },
  'ai.task.reconciliation_required': { state: 'reconciliation_required' },
  'batch.completed': { status: 'completed', total: 2, succeeded: 2, failed: 0, unknown: 0 },
  'inventory.reservation.expired': { status: 'expired' },
  'parcel.status_changed': { status: 'out_for_delivery', fromStatus: 'at_center', toStatus: 'out_for_delivery' },
  'parcel.delivered': { status: 'delivered', fromStatus: 'out_for_delivery', toStatus: 'delivered', carrierStatus: 'LIVRE' },
  'order.status_changed': { status: 'confirmed', fromStatus: 'pending', toStatus: 'confirmed' },
  'payment.paid': { status: 'paid', paid: 7100 },
  'payment.failed': { status: 'failed', message: 'The bank declined the card.' },
  'payment.refunded': { status: 'refunded', paid: 7100, refunded: 7100, reason: 'The basket arrived broken.' },
  'payment.proof_received': { status: 'processing' },
  'payment.needs_attention': { status: 'paid', paid: 7000, concern: 'paid_less', concernSince: '2026-11-25T10:05:00.000Z' },
  'payout.needs_attention': { status: 'paid', state: 'posted', lines: 'ready', waiting: 1 },
  'product.created': { status: 'draft', name: 'Wool basket' },
  'product.updated': { status: 'active', name: 'Wool basket' },
  'subscription.updated': { status: 'active' },
}

/** Prefixes of ids by the object or the field that has them. */
const idPrefixes: Readonly<Record<string, string>> = {
  body: 'evt',
  order: 'ord',
  orderId: 'ord',
  firstOrderId: 'ord',
  parcel: 'par',
  parcelId: 'par',
  product: 'prd',
  productId: 'prd',
  variant: 'var',
  variantId: 'var',
  bundle: 'bun',
  customer: 'cus',
  customerId: 'cus',
  feedback: 'fbk',
  comment: 'com',
  payment: 'pay',
  refund: 'rfd',
  movement: 'op',
  payout: 'gpo',
  task: 'ait',
  batch: 'bat',
  batchId: 'bat',
  operationId: 'op',
  reservationId: 'res',
  erasureId: 'era',
  storeId: 'sto',
  projectId: 'prj',
  carrierAccountId: 'int',
  connectionId: 'int',
}
/** Objects of events whose data is the record itself. */
const idsOfData: Readonly<Record<string, string>> = {
  'inventory.operation.posted': 'op',
  'inventory.reservation.expired': 'res',
  'order.deleted': 'ord',
  'product.deleted': 'prd',
}

const fits = (value: unknown, { type, enum: among }: Schema) =>
  among ? among.includes(value) : typeof value === (type === 'integer' ? 'number' : type)

/** Returns the value of a field in an event's example; undefined if its schema decides. `parent` is the field that holds it. */
export function webhookValue(event: string, parent: string, name: string, schema: Schema): unknown {
  const own = valuesByEvent[event]?.[name]
  if (own !== undefined && fits(own, schema)) return own
  if (schema.nullable) return null
  if (name === 'warnings') return []
  if (parent === 'item' && name === 'total') return 6500
  if (name === 'refunds') return event === 'payment.refunded' ? undefined : []
  if (name === 'name' && ['item', 'product'].includes(parent)) return 'Wool basket'
  if (schema.enum) return schema.enum[0]
  if (Object.hasOwn(values, name) && fits(values[name], schema)) return values[name]
  if (schema.type !== 'string') return undefined
  if (schema.format === 'date-time') return /^(updatedAt|at)$/.test(name) ? '2026-11-25T10:05:00.000Z' : '2026-11-25T09:30:00.000Z'
  const prefix = idPrefixes[name] ?? (name === 'id' ? (parent === 'data' ? idsOfData[event] : idPrefixes[parent]) : undefined)
  if (prefix !== undefined) return exampleId(prefix)
  return /^(id|\w+Id)$/.test(name) ? exampleId('rec') : undefined
}
