import type { Fault } from '../../../../plugins/connector/acceptance.ts'
import { openEdits } from '../edits.ts'

export const KEY = 'eo-key-0123456789abcdef'
export const SECRET = 'eo-secret-0123456789abcdef'
const BASE = '/api/v1/external-apps'

interface EasyOrder {
  readonly id: string
  readonly short_id: number
  status: string
  readonly created_at: string
  updated_at: string
}

/** The platform as its documents have it, with its traps: no currency, no cities, a secret that is sent as it is, and changes told by an id alone. */
export function startEasyOrders() {
  const orders = new Map<string, EasyOrder>()
  const requests: { at: number; method: string; path: string; query: string; headers: Record<string, string>; body: string }[] = []
  const keys = new Set([KEY])
  let clock = Date.parse('2026-11-20T10:00:00Z')
  let fault: Fault | null = null
  const tick = (ms: number) => {
    clock += ms
    return new Date(clock).toISOString()
  }

  const place = (): EasyOrder => {
    const at = tick(1000)
    const order = { id: crypto.randomUUID(), short_id: orders.size + 1, status: 'pending', created_at: at, updated_at: at }
    orders.set(order.id, order)
    return order
  }
  const touch = (order: EasyOrder, status: string) => Object.assign(order, { status, updated_at: tick(60_000) })
  const edits = openEdits({
    quantity: ['cart_items.0.quantity'],
    name: ['cart_items.0.product.name'],
    unitPrice: ['cart_items.0.price'],
    sku: ['cart_items.0.product.sku'],
    variant: ['cart_items.0.variant.variation_props.0.variation_prop'],
    lines: ['cart_items'],
    total: ['total_cost'],
    customerName: ['full_name'],
  })
  const shown = (order: EasyOrder) => edits.apply(order.id, whole(order))
  const whole = (order: EasyOrder) => ({
    ...order,
    store_id: 'store-1',
    cost: 5000,
    shipping_cost: 400,
    total_cost: 5400,
    full_name: 'Lina Saadi',
    phone: '0550123456',
    government: 'Alger',
    address: 'Bab Ezzouar, 3 rue A',
    payment_method: 'cod',
    cart_items: [
      {
        id: 'c1',
        product_id: 'p1',
        price: 2500,
        quantity: 2,
        product: { name: 'Basket', sku: 'B' },
        variant: { variation_props: [{ variation: 'Size', variation_prop: 'L' }] },
      },
    ],
  })
  const products = Array.from({ length: 60 }, (_, at) => ({
    id: `p${at + 1}`,
    name: `Basket ${at + 1}`,
    price: 3000,
    sale_price: 2500.5,
    description: 'Woven',
    sku: `B-${at + 1}`,
    thumb: 'https://cdn.easy-orders.example/p.jpg',
    images: [],
    quantity: 0,
    track_stock: true,
    variants: [{ id: `v${at}`, price: 3000, sale_price: 0, variation_props: [{ variation: 'Size', variation_prop: 'L' }] }],
  }))

  const page = (found: readonly unknown[], query: URLSearchParams) => {
    const [at, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 10)]
    return Response.json(found.slice((at - 1) * limit, at * limit))
  }
  function list(query: URLSearchParams): Response {
    const since = query.get('filter')?.split('||gte||')[1] ?? ''
    const found = [...orders.values()].filter(({ updated_at }) => Date.parse(updated_at) >= (since === '' ? 0 : Date.parse(since)))
    const way = query.get('sort') === 'updated_at,ASC' ? 1 : -1
    return page(found.sort((a, b) => (a.updated_at < b.updated_at ? -way : way)).map(shown), query)
  }

  function answer(request: Request, body: string): Response {
    const url = new URL(request.url)
    if (!keys.has(request.headers.get('api-key') ?? '')) return Response.json({ message: 'Unauthorized' }, { status: 401 })
    if (fault === 'error') return new Response('<html>', { status: 500 })
    if (fault === 'rate_limited') return new Response('{}', { status: 429, headers: { 'retry-after': '2' } })
    if (fault === 'mumbled') return Response.json({ ok: 1 })
    if (fault === 'malformed') return new Response('[{"id', { headers: { 'content-type': 'application/json' } })
    const asked = `${request.method} ${url.pathname.replace(BASE, '')}`
    if (asked === 'GET /products') return page(products, url.searchParams)
    if (asked === 'GET /orders') return list(url.searchParams)
    const [, method, id = '', part] = /^(GET|PATCH) \/orders\/([^/]+)(\/status)?$/.exec(asked) ?? []
    const order = orders.get(id)
    if (!order) return Response.json({ message: 'Not found' }, { status: 404 })
    if (method === 'PATCH' && part) touch(order, (JSON.parse(body) as { status: string }).status)
    return Response.json(shown(order))
  }

  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const body = await request.text()
      const { pathname, search } = new URL(request.url)
      const headers = Object.fromEntries(request.headers)
      requests.push({ at: Date.now(), method: request.method, path: pathname, query: search.slice(1), headers, body })
      return answer(request, body)
    },
  })
  return {
    url: server.url.origin,
    orders,
    edits,
    products,
    requests,
    place,
    touch,
    shown,
    /** What is told of a change: no order, only which. */
    change: (order: EasyOrder) => ({
      event_type: 'order-status-update',
      order_id: order.id,
      old_status: 'pending',
      new_status: order.status,
    }),
    fail: (next: Fault) => {
      fault = next
    },
    calm: () => {
      fault = null
    },
    stop: () => server.stop(true),
  }
}
