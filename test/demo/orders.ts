import type { Static } from '@sinclair/typebox'
import type { NewOrder, Order } from '../../core/orders/orders.model.ts'
import type { Resolution as ResolutionSchema } from '../../core/platform/geo/geo.model.ts'
import { type Api, Refusal } from './api.ts'
import { pool } from './pool.ts'
import type { Place, Row } from './sheet.ts'
import type { Shop } from './shop.ts'

type Resolution = Static<typeof ResolutionSchema>

/** Confidence from which an address is used without review. */
const CONFIDENCE = 0.9
const AT_ONCE = 8

export interface ImportedOrder {
  readonly row: Row
  readonly order: Order
}

/** Row that a person must review, with the reason. */
export interface Asking {
  readonly row: Row
  readonly why: string
}

export interface Import {
  readonly taken: readonly ImportedOrder[]
  readonly asking: readonly Asking[]
  /** Number of correctly resolved addresses: of all, and of those used without review. */
  readonly accuracy: { readonly all: number; readonly right: number; readonly used: number; readonly usedRight: number }
  /** True if a repeated call with the same idempotency key returned the same order. */
  readonly repeatedIsSame: boolean
}

export async function importOrders(api: Api, shop: Shop, rows: readonly Row[], truth: ReadonlyMap<string, Place>): Promise<Import> {
  const items = rows.map(({ wilaya, commune, address }) => ({ country: 'DZ', state: wilaya, city: commune, address }))
  const found = await api.post<Resolution[]>('/v1/geo/resolve/batch', { as: shop.key, body: { items } })
  const isSure = (place: Resolution) => place.confidence >= CONFIDENCE && place.cityName !== null
  const isRight = (place: Resolution, at: number) => {
    const right = truth.get(rows[at]!.order)
    return place.stateCode === right?.stateCode && place.cityCode === right.cityCode
  }
  const outcomes = await pool(rows, AT_ONCE, async (row, at): Promise<ImportedOrder | Asking> => {
    const place = found[at]!
    return isSure(place) && row.deliveryType
      ? take(api, shop, row, place)
      : { row, why: isSure(place) ? 'the delivery type is unknown' : 'the address is uncertain' }
  })
  const taken = outcomes.filter((outcome) => 'order' in outcome)
  return {
    taken,
    asking: outcomes.filter((outcome) => 'why' in outcome),
    accuracy: {
      all: rows.length,
      right: found.filter(isRight).length,
      used: found.filter(isSure).length,
      usedRight: found.filter((place, at) => isSure(place) && isRight(place, at)).length,
    },
    repeatedIsSame: await isSameAgain(api, shop, taken[0]!, found[rows.indexOf(taken[0]!.row)]!),
  }
}

/** Creates an order. A row that the server refuses with 422 is left to a person. */
async function take(api: Api, shop: Shop, row: Row, place: Resolution): Promise<ImportedOrder | Asking> {
  try {
    return { row, order: await api.post<Order>('/v1/orders', asking(shop, row, place)) }
  } catch (error) {
    if (error instanceof Refusal && error.status === 422) return { row, why: error.code }
    throw error
  }
}

async function isSameAgain(api: Api, shop: Shop, { row, order }: ImportedOrder, place: Resolution): Promise<boolean> {
  const { body, headers } = await api.call('POST', '/v1/orders', asking(shop, row, place))
  return (body as { data: Order }).data.id === order.id && headers.get('idempotent-replayed') === 'true'
}

/** Creates the same order with a customer's name that makes the sandbox carrier rehearse a fault. */
export function rehearse(api: Api, shop: Shop, { row, order }: ImportedOrder, customer: string): Promise<ImportedOrder> {
  const rehearsal = { ...row, order: customer, customer, quantity: 1 }
  const { stateCode, cityName } = order.destination
  return api.post<Order>('/v1/orders', asking(shop, rehearsal, { stateCode, cityName })).then((made) => ({ row: rehearsal, order: made }))
}

/** Customers of new orders, in both scripts. */
const newCustomers = ['Imene Touati', 'فاطمة الزهراء قاسمي', 'Mohamed Boudiaf', 'أمينة بن علي', 'Rania Cherif', 'يوسف حداد']

/** Places new orders of products of the spreadsheet, so that somebody who opens the desk has customers to call. */
export const leaveNewOrders = (
  api: Api,
  shop: Shop,
  imported: readonly ImportedOrder[],
  count: number,
): Promise<readonly ImportedOrder[]> =>
  pool(imported.slice(0, count), AT_ONCE, async ({ row, order }, at) => {
    const fresh = {
      ...row,
      order: `new-${at + 1}`,
      customer: newCustomers[at % newCustomers.length] ?? row.customer,
      quantity: 1,
      note: '',
    }
    const { stateCode, cityName } = order.destination
    return { row: fresh, order: await api.post<Order>('/v1/orders', asking(shop, fresh, { stateCode, cityName })) }
  })

function asking({ storeId, key, products }: Shop, row: Row, { stateCode, cityName }: Pick<Resolution, 'stateCode' | 'cityName'>) {
  const body: NewOrder = {
    storeId,
    customer: { name: row.customer, phone: row.phone },
    destination: { country: 'DZ', stateCode: stateCode!, cityName: cityName!, address: row.address, deliveryType: row.deliveryType! },
    items: [{ productId: products.get(row.sku)!.id, quantity: row.quantity }],
    note: row.note,
    metadata: { sheet: row.order },
  }
  return { as: key, body, idempotencyKey: `sheet-${row.order}` }
}
