import type { Parcel } from '../../core/logistics/parcels/parcels.model.ts'
import type { Order } from '../../core/orders/orders.model.ts'
import type { Api } from './api.ts'
import type { Carrier } from './carriers.ts'
import type { ImportedOrder } from './orders.ts'
import type { Shop } from './shop.ts'

export interface CarrierFigures {
  readonly label: string
  readonly taken: number
  readonly sent: number
  readonly delivered: number
  readonly returned: number
  readonly onTheWay: number
  readonly refused: number
  /** Cash that the carrier owes: the server's figure, the sum of delivered parcels, and the sum of ledger entries. */
  readonly cash: { readonly server: number; readonly parcels: number; readonly rows: number }
}

export interface StockFigures {
  readonly sku: string
  readonly before: number
  /** Quantity reserved after all orders were imported. */
  readonly reserved: number
  readonly gone: number
  readonly onHand: number
  readonly stillReserved: number
  readonly addsUp: boolean
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + Math.round(amount * 100), 0) / 100

export async function carrierFigures(
  api: Api,
  { storeId, owner }: Shop,
  { key, label }: Carrier,
  taken: number,
  all: readonly Parcel[],
): Promise<CarrierFigures> {
  const at = `/v1/stores/${storeId}/integrations/${key}`
  const [finance, lines] = await Promise.all([
    api.get<{ due: number }>(`${at}/finance`, owner.token),
    api.all<{ amount: number }>(`${at}/encaissements/preview`, owner.token),
  ])
  const parcels = all.filter(({ courierId }) => courierId === key)
  const sent = parcels.filter(({ trackingId }) => trackingId !== null)
  const delivered = sent.filter(({ status }) => status === 'delivered')
  const returned = sent.filter(({ status }) => status === 'returned').length
  return {
    label,
    taken,
    sent: sent.length,
    delivered: delivered.length,
    returned,
    onTheWay: sent.length - delivered.length - returned,
    refused: parcels.filter(({ status, lastError }) => status === 'created' && lastError !== null).length,
    cash: {
      server: finance.due,
      parcels: sum(delivered.map(({ codAmount }) => codAmount)),
      rows: sum(lines.map(({ amount }) => amount)),
    },
  }
}

interface Balance {
  readonly key: string
  readonly onHand: number
  readonly reserved: number
}

export const balances = async (api: Api, { key }: Shop) =>
  new Map((await api.all<Balance>('/v1/inventory/balances?namespace=main', key)).map((row) => [row.key, row]))

/** Computes the expected stock from orders and parcels, and compares it with the server's balances. */
export function stockFigures(
  shop: Shop,
  taken: readonly ImportedOrder[],
  parcels: readonly Parcel[],
  afterTaking: ReadonlyMap<string, Balance>,
  now: ReadonlyMap<string, Balance>,
): StockFigures[] {
  const parcelOf = new Map(parcels.map((parcel) => [parcel.orderId, parcel]))
  return [...shop.products.values()].map((product) => {
    const lines = taken
      .filter(({ row }) => row.sku === product.sku)
      .map(({ row, order }) => ({ quantity: row.quantity, parcel: parcelOf.get(order.id) }))
    const quantities = (isIt: (parcel: Parcel | undefined) => boolean) =>
      lines.filter(({ parcel }) => isIt(parcel)).reduce((total, { quantity }) => total + quantity, 0)
    const gone = quantities((parcel) => Boolean(parcel?.trackingId) && parcel?.status !== 'returned')
    const waiting = quantities((parcel) => !parcel?.trackingId)
    const before = product.stock?.onHand ?? 0
    const reserved = afterTaking.get(product.inventoryKey)?.reserved ?? 0
    const { onHand = 0, reserved: stillReserved = 0 } = now.get(product.inventoryKey) ?? {}
    const addsUp = reserved === quantities(() => true) && onHand === before - gone && stillReserved === waiting
    return { sku: product.sku ?? product.name, before, reserved, gone, onHand, stillReserved, addsUp }
  })
}

/** Counts orders whose status does not match their parcel's. An order without a sent parcel must be pending. */
export async function countLaggingOrders(api: Api, { storeId, key }: Shop, parcels: readonly Parcel[]): Promise<number> {
  const orders = await api.all<Order>(`/v1/orders?storeId=${storeId}`, key)
  const parcelOf = new Map(parcels.map((parcel) => [parcel.orderId, parcel]))
  const expected = ({ id }: Order) => {
    const status = parcelOf.get(id)?.status
    if (status === 'delivered' || status === 'returned') return status
    return status === undefined || status === 'created' ? 'pending' : 'sent'
  }
  return orders.filter((order) => order.status !== expected(order)).length
}
