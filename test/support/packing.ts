import { createHmac } from 'node:crypto'
import type { TestApp } from './app.ts'

const SECRET = 'packing'
let phones = 0

export interface SentOrder {
  readonly orderId: string
  readonly reference: string
  readonly parcelId: string
  readonly trackingId: string
}

/** Row of a scan; tests look into it freely. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads shapes that it then asserts
type ScanRow = any

interface ScanOptions {
  readonly as?: string
  readonly connectionId?: string
}

/** A store with a stocked product and the sandbox carrier, and what people do at its packing desk. */
export async function packingDesk({ ok, shop, person }: TestApp, store: Record<string, unknown> = {}) {
  const on = await shop(store)
  const as = on.owner.token
  const of = `/v1/stores/${on.storeId}`
  const { data: product } = await ok('POST', '/v1/products', {
    as: on.key,
    body: { storeId: on.storeId, name: 'Basket', sku: 'BSK', price: 1000, initialStock: 100 },
  })
  const { data: connection } = await ok('PUT', `${of}/integrations/sandbox`, {
    as,
    body: { enabled: true, credentials: { webhookSecret: SECRET }, settings: {} },
  })
  const destination = { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: 'cité', deliveryType: 'home' }
  const place = async (quantity = 1, name = 'Lina'): Promise<{ id: string; reference: string }> => {
    const customer = { name, phone: `0551${String(++phones).padStart(6, '0')}` }
    const body = { storeId: on.storeId, customer, destination, items: [{ productId: product.id, quantity }] }
    return (await ok('POST', '/v1/orders', { as: on.key, body })).data
  }
  const sendOrder = async (orderId: string, body: object = {}) =>
    (await ok('POST', `${of}/orders/${orderId}/carriers/sandbox/send`, { as: on.key, body })).data
  const send = async (quantity = 1, name = 'Lina'): Promise<SentOrder> => {
    const { id: orderId, reference } = await place(quantity, name)
    const { parcel } = await sendOrder(orderId)
    return { orderId, reference, parcelId: parcel.id, trackingId: parcel.trackingId }
  }
  const unsentParcel = async (): Promise<{ id: string; reference: string }> =>
    (await ok('POST', '/v1/parcels', { as: on.key, body: { recipient: { name: 'Omar', phone: '0550123456' }, destination } })).data
  const print = ({ trackingId }: SentOrder) => ok('POST', `${of}/integrations/sandbox/labels`, { as, body: { trackings: [trackingId] } })
  /** Reports a status as the carrier does. */
  const report = async ({ trackingId }: Pick<SentOrder, 'trackingId'>, status: string) => {
    const raw = JSON.stringify({ tracking: trackingId, status, at: new Date().toISOString(), eventId: `${trackingId} ${status}` })
    const signature = `sha256=${createHmac('sha256', SECRET).update(raw).digest('hex')}`
    await ok('POST', `${of}/integrations/sandbox/webhook`, { raw, headers: { 'x-sandbox-signature': signature } })
  }
  const scan =
    (path: string) =>
    async (codes: readonly string[], { as: scanner = as, ...more }: ScanOptions = {}) =>
      (await ok('POST', `${of}/${path}`, { as: scanner, body: { codes, ...more } })).data as ScanRow[]
  const member = async (role: string, permissions?: readonly string[]) => {
    const added = await person('Member')
    await ok('POST', `${of}/members`, { as, body: { email: added.email, role, ...(permissions && { permissions }) } })
    return added
  }
  /** Pieces of the product in stock. */
  const onHand = async (): Promise<number> =>
    (await ok('GET', '/v1/inventory/balances?namespace=main&key=BSK', { as: on.key })).data[0].onHand
  return {
    ...{
      ...on,
      of,
      connectionId: connection.id as string,
      product,
      place,
      sendOrder,
      send,
      unsentParcel,
      print,
      report,
      scan,
      member,
      onHand,
    },
    ...{ pack: scan('parcels/pack'), handOver: scan('parcels/hand-over') },
  }
}
