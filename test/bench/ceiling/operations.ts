import { DIFFERENT, order, parcel, type Shop } from '../shop.ts'

/** Request that the generator sends. */
export interface BenchRequest {
  readonly method: string
  readonly path: string
  readonly body?: string
}

/** One of the ten most used operations, and the least that it could cost. */
export interface Operation {
  readonly what: string
  readonly requests: (shop: Shop, orderIds: readonly string[]) => readonly BenchRequest[]
  /**
   * What it is compared with. A write: a script of `least/`, the fewest statements that keep its promise, run by pgbench. A read: a bare
   * route of Bun that answers as many bytes.
   */
  readonly least: string | 'bare route'
  /** Share of the ceiling that is aimed at. */
  readonly target?: number
}

const repeat = <Value>(make: (at: number) => Value) => Array.from({ length: DIFFERENT }, (_, at) => make(at))
const post = (path: string, body: unknown): BenchRequest => ({ method: 'POST', path, body: JSON.stringify(body) })
const get = (path: string): BenchRequest => ({ method: 'GET', path })
const at = <Item>(items: readonly Item[], index: number) => items[index % items.length] as Item

/** The ten most used operations. */
export const operations: readonly Operation[] = [
  {
    what: 'POST /v1/orders, 1 line',
    requests: (shop) => repeat(() => post('/v1/orders', order(shop, 1))),
    least: 'create-order',
    target: 0.4,
  },
  {
    what: 'PATCH /v1/orders/{id}, its note',
    requests: (_, ids) =>
      repeat((index) => ({ method: 'PATCH', path: `/v1/orders/${at(ids, index)}`, body: JSON.stringify({ note: `Call ${index}` }) })),
    least: 'change-order',
  },
  { what: 'GET /v1/orders, 20 of them', requests: ({ storeId }) => [get(`/v1/orders?storeId=${storeId}&limit=20`)], least: 'bare route' },
  { what: 'GET /v1/orders/{id}', requests: (_, ids) => ids.map((id) => get(`/v1/orders/${id}`)), least: 'bare route' },
  {
    what: 'GET /v1/products, 20 of them',
    requests: ({ storeId }) => [get(`/v1/products?storeId=${storeId}&limit=20`)],
    least: 'bare route',
    target: 0.2,
  },
  { what: 'GET /v1/products/{id}', requests: ({ products }) => products.map(({ id }) => get(`/v1/products/${id}`)), least: 'bare route' },
  { what: 'GET /v1/parcels/{id}', requests: ({ parcels }) => parcels.map(({ id }) => get(`/v1/parcels/${id}`)), least: 'bare route' },
  { what: 'GET /v1/parcels, 20 of them', requests: () => [get('/v1/parcels?limit=20')], least: 'bare route' },
  {
    what: 'POST /v1/parcels',
    // Without a reference, so that each of the repeated requests creates one.
    requests: () => repeat((index) => post('/v1/parcels', { ...parcel(index), reference: undefined })),
    least: 'create-parcel',
  },
  {
    what: 'inventory transfer',
    requests: ({ products }) => repeat((index) => post('/v1/inventory/operations', transfer(at(products, index).inventoryKey))),
    least: 'transfer-stock',
    target: 0.8,
  },
]

const transfer = (key: string) => ({
  type: 'transfer',
  legs: [
    { namespace: 'main', key, quantity: -1 },
    { namespace: 'shop', key, quantity: 1 },
  ],
})
