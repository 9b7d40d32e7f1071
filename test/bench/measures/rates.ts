import { type Requests, rateBesideCeiling } from '../load/drive.ts'
import type { Shop } from '../shop.ts'
import { perSecond, type Row } from '../table.ts'
import type { World } from '../world.ts'

interface Target {
  readonly ratio: number
  readonly perSecond?: number
}

/** What can be ordered, and from whom. */
export interface Orderable {
  readonly storeId: string
  readonly products: readonly { readonly id: string }[]
}

interface Subscriber {
  readonly sql: World['sql']
  readonly shop: Pick<Shop, 'client' | 'key' | 'storeId'>
}

export const DIFFERENT = 1_000
const LINES = 3

async function row(what: string, world: World, requests: Requests, seconds: number, target: Target): Promise<Row> {
  const { ours, ceiling } = await rateBesideCeiling(world, requests, seconds)
  const ratio = ours / ceiling
  const least = target.perSecond === undefined ? '' : `, ≥ ${perSecond(target.perSecond)}`
  return {
    what,
    ours: perSecond(ours),
    ceiling: perSecond(ceiling),
    ratio,
    target: `≥ ${target.ratio * 100} %${least}`,
    reached: ratio >= target.ratio && ours >= (target.perSecond ?? 0),
  }
}

export async function readOne(world: World, seconds: number): Promise<Row[]> {
  const requests = world.shop.parcels.map(({ id }) => ({ method: 'GET', path: `/v1/parcels/${id}` }))
  return [await row('GET /v1/parcels/{id}', world, requests, seconds, { ratio: 0.6 })]
}

export async function readList(world: World, seconds: number): Promise<Row[]> {
  const requests = [{ method: 'GET', path: '/v1/parcels?limit=20' }]
  return [await row('GET /v1/parcels, 20 of them', world, requests, seconds, { ratio: 0.6 })]
}

export async function orders(world: World, seconds: number): Promise<Row[]> {
  const forget = await subscribeToOrders(world)
  const requests = Array.from({ length: DIFFERENT }, () => ({
    method: 'POST',
    path: '/v1/orders',
    body: JSON.stringify(order(world.shop)),
  }))
  try {
    return [await row('POST /v1/orders, 3 lines', world, requests, seconds, { ratio: 0.5, perSecond: 500 })]
  } finally {
    await forget()
  }
}

export async function transfers(world: World, seconds: number): Promise<Row[]> {
  const requests = Array.from({ length: DIFFERENT }, () => {
    const [{ inventoryKey: key }] = some(world.shop.products, 1) as [Shop['products'][number]]
    const legs = [
      { namespace: 'main', key, quantity: -1 },
      { namespace: 'shop', key, quantity: 1 },
    ]
    return { method: 'POST', path: '/v1/inventory/operations', body: JSON.stringify({ type: 'transfer', legs }) }
  })
  return [await row('inventory transfer', world, requests, seconds, { ratio: 0.5, perSecond: 1_000 })]
}

/**
 * Somebody must listen, or no event is recorded. Its pace is one a second, so that what is measured is the taking of orders, not
 * the telling. It is made a store's by hand, since events of orders are the store's.
 */
export async function subscribeToOrders({ shop, sql }: Subscriber) {
  const { id } = await shop.client.ok('POST', '/v1/webhook-endpoints', shop.key, {
    url: 'http://127.0.0.1:9/',
    events: ['parcel.deleted'],
    maxPerSecond: 1,
  })
  await sql`update webhook_endpoints set store_id = ${shop.storeId}, event_names = ${['order.created']} where id = ${id}`
  return async () => {
    await sql`delete from webhook_endpoints where id = ${id}`
    await sql`delete from webhook_deliveries where endpoint_id = ${id}`
  }
}

export const order = ({ storeId, products }: Orderable) => ({
  storeId,
  customer: { name: 'Amina Saadi', phone: '0550123456' },
  destination: {
    country: 'DZ',
    stateCode: '16',
    cityName: 'Bab Ezzouar',
    address: 'cité 5 juillet',
    deliveryType: 'home',
  },
  items: some(products, LINES).map(({ id }, at) => ({ productId: id, quantity: at + 1 })),
})

/** So many different ones. */
function some<Item>(all: readonly Item[], count: number): Item[] {
  const chosen = new Set<Item>()
  while (chosen.size < count) chosen.add(all[Math.floor(Math.random() * all.length)]!)
  return [...chosen]
}
