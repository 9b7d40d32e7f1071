import type { Parcel } from '../../core/logistics/parcels/parcels.model.ts'
import type { Api } from './api.ts'
import type { Carrier } from './carriers.ts'
import type { ImportedOrder } from './orders.ts'
import { chunks, eventually, pool } from './pool.ts'
import type { Shop } from './shop.ts'

const CHUNK = 100
const SETTLE_SECONDS = 90
/** Error codes after which the server retries a parcel by itself. */
const triedAgain = ['rate_limited', 'carrier_unavailable', 'not_taken', 'outcome_unknown']

export interface RowAnswer {
  readonly orderId: string
  readonly parcel?: Parcel
  readonly error?: { readonly code: string; readonly message: string }
}

export const allParcels = (api: Api, { key }: Shop) => api.all<Parcel>('/v1/parcels', key)

/** Sends orders with a carrier, up to a hundred per call, one call after the other. */
export async function sendMany(api: Api, shop: Shop, { key }: Carrier, orders: readonly ImportedOrder[]): Promise<RowAnswer[]> {
  const answers = await pool(chunks(orders, CHUNK), 1, (chunk) =>
    api.post<RowAnswer[]>(`/v1/stores/${shop.storeId}/integrations/${key}/parcels/sendMany`, {
      as: shop.owner.token,
      body: { orders: chunk.map(({ order }) => ({ orderId: order.id })) },
    }),
  )
  return answers.flat()
}

/** Sends an order again that was already sent, with two calls at once. */
export async function sendAgain(api: Api, { storeId, owner, key }: Shop, carrier: Carrier, { order }: ImportedOrder) {
  const path = `/v1/stores/${storeId}/orders/${order.id}/carriers/${carrier.key}/send`
  const once = () => api.post<{ parcel: Parcel }>(path, { as: owner.token, body: {} })
  const answers = await Promise.all([once(), once()])
  const parcels = await api.all<Parcel>(`/v1/parcels?reference=${order.reference}`, key)
  return { trackingIds: new Set(answers.map(({ parcel }) => parcel.trackingId)), parcels: parcels.length }
}

/** Waits until the outcome of each parcel is known. Returns false if that takes too long. */
export function outcomesKnown(api: Api, shop: Shop): Promise<boolean> {
  const isOpen = ({ status, lastError }: Parcel) =>
    status === 'submitting' || (status === 'created' && (!lastError || triedAgain.includes(lastError.code)))
  return eventually(async () => !(await allParcels(api, shop)).some(isOpen), SETTLE_SECONDS)
}
