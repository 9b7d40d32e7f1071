import { createHmac } from 'node:crypto'
import { HOUR_MS } from '../../../../core/lib/durations.ts'
import type { Fault } from '../../../../plugins/connector/acceptance.ts'

export const KEYS = { consumerKey: 'ck_0123456789abcdef', consumerSecret: 'cs_0123456789abcdef' }

interface Meta {
  id: number
  key: string
  value: unknown
}
export interface WooOrder {
  id: number
  number: string
  status: string
  currency: string
  date_created_gmt: string
  date_modified_gmt: string
  total: string
  shipping_total: string
  customer_note: string
  billing: Record<string, string>
  shipping: Record<string, string>
  line_items: { id: number; name: string; sku: string; quantity: number; price: number; total: string }[]
  meta_data: Meta[]
}
export interface WooHook {
  id: number
  topic: string
  delivery_url: string
  secret: string
  status: 'active' | 'paused' | 'disabled'
  failures: number
}
export interface WooGoods {
  id: number
  parent_id: number
  type: 'simple' | 'variation'
  sku: string
  manage_stock: boolean
  stock_quantity: number | null
}
interface Request_ {
  readonly at: number
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const FAILURES_MAX = 5
const INVALID_GOODS = { code: 'woocommerce_rest_product_invalid_id', message: 'Invalid ID.', data: { status: 400 } }
/** Offset of the shop's clock, which is that of Algiers. Times without a zone are compared by it. */
const OFFSET_MS = HOUR_MS
const gmt = (ms: number) => new Date(ms).toISOString().slice(0, 19)

/** A shop with WooCommerce as its documents have it, with its traps: empty addresses of delivery, times without a zone, hooks that go off. */
export function startWoo({ host = 'shop.example' } = {}) {
  const orders = new Map<number, WooOrder>()
  const hooks = new Map<number, WooHook>()
  const goods = new Map<number, WooGoods>()
  const refusedGoods = new Set<number>()
  const requests: Request_[] = []
  let ids = 100
  let clock = Date.parse('2026-11-20T10:00:00Z')
  let fault: Fault | null = null

  const place = (change: Partial<WooOrder> = {}): WooOrder => {
    const id = ++ids
    clock += 1000
    const order: WooOrder = {
      id,
      number: String(id),
      status: 'processing',
      currency: 'DZD',
      date_created_gmt: gmt(clock),
      date_modified_gmt: gmt(clock),
      total: '5400.00',
      shipping_total: '400.00',
      customer_note: '',
      billing: {
        first_name: 'Lina',
        last_name: 'Saadi',
        address_1: '3 rue A',
        address_2: '',
        city: 'Bab Ezzouar',
        state: 'DZ-16',
        postcode: '16000',
        country: 'DZ',
        email: 'lina@example.dz',
        phone: '0550 12 34 56',
      },
      shipping: { first_name: '', last_name: '', address_1: '', city: '', state: '', country: '', phone: '' },
      line_items: [{ id: 1, name: 'Basket', sku: 'B', quantity: 2, price: 2500, total: '5000.00' }],
      meta_data: [],
      ...change,
    }
    orders.set(id, order)
    return order
  }
  const touch = (order: WooOrder, change: Partial<WooOrder>, ms = 60_000) => {
    clock += ms
    Object.assign(order, change, { date_modified_gmt: gmt(clock) })
    return order
  }

  const isKeys = (request: Request, url: URL) => {
    const basic = `Basic ${btoa(`${KEYS.consumerKey}:${KEYS.consumerSecret}`)}`
    const inQuery =
      url.searchParams.get('consumer_key') === KEYS.consumerKey && url.searchParams.get('consumer_secret') === KEYS.consumerSecret
    return request.headers.get('authorization') === basic || inQuery
  }
  const refuse = (status: number, code: string) => Response.json({ code, message: code, data: { status } }, { status })

  const paged = (rows: readonly unknown[], query: URLSearchParams) => {
    const [page, size] = [Number(query.get('page') ?? 1), Math.min(100, Number(query.get('per_page') ?? 10))]
    const from = Number(query.get('offset') ?? 0) || (page - 1) * size
    return Response.json(rows.slice(from, from + size), {
      headers: { 'x-wp-total': String(rows.length), 'x-wp-totalpages': String(Math.ceil(rows.length / size)) },
    })
  }

  async function answer(request: Request, body: string): Promise<Response> {
    const url = new URL(request.url)
    const route = url.searchParams.get('rest_route') ?? url.pathname.replace(/^\/wp-json/, '')
    const { method } = request
    const [, kind = '', id = ''] = /^\/wc\/v3\/(\w+)(?:\/(\d+))?$/.exec(route) ?? []
    if (route === '/wc/store/v1/products') return publicProducts(url.searchParams)
    if (!isKeys(request, url)) return refuse(401, 'woocommerce_rest_cannot_view')
    if (fault === 'error') return new Response('<html>', { status: 500 })
    if (fault === 'rate_limited') return new Response('{}', { status: 429, headers: { 'retry-after': '2' } })
    if (fault === 'mumbled') return Response.json({ ok: 1 })
    if (fault === 'malformed') return new Response('[{"id":1,"sta', { headers: { 'content-type': 'application/json' } })
    const json = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>)
    if (kind === 'orders' && id === '') return listOrders(url.searchParams)
    if (kind === 'orders') return method === 'PUT' ? changeOrder(Number(id), json) : one(orders.get(Number(id)))
    if (kind === 'webhooks' && id === '') return method === 'POST' ? addHook(json) : paged([...hooks.values()].map(shown), url.searchParams)
    if (route === '/wc/v3/products')
      return paged(
        [...goods.values()].filter(({ sku }) => url.searchParams.get('sku')?.split(',').includes(sku)),
        url.searchParams,
      )
    if (route === '/wc/v3/products/batch') {
      // Each has its own outcome, inside a 200.
      const update = (json as { update: WooGoods[] }).update.map(({ id: of, ...stock }) => {
        const one = goods.get(of)
        return one && !refusedGoods.has(of) ? Object.assign(one, stock) : { id: of, error: INVALID_GOODS }
      })
      return Response.json({ update })
    }
    const [, version] = /^\/wc\/v3\/products\/\d+\/variations\/(\d+)$/.exec(route) ?? []
    if (version && refusedGoods.has(Number(version))) return refuse(400, 'woocommerce_rest_product_variation_invalid_id')
    if (version) return Response.json(Object.assign(goods.get(Number(version)) ?? {}, json))
    if (kind !== 'webhooks') return refuse(404, 'rest_no_route')
    const hook = hooks.get(Number(id))
    if (!hook) return refuse(404, 'woocommerce_rest_shop_webhook_invalid_id')
    if (method === 'DELETE') hooks.delete(hook.id)
    else Object.assign(hook, json, json.status === 'active' ? { failures: 0 } : {})
    return Response.json(shown(hook))
  }

  const one = (found: unknown) => (found ? Response.json(found) : refuse(404, 'woocommerce_rest_shop_order_invalid_id'))
  const shown = ({ secret: _, ...hook }: WooHook) => hook
  const listOrders = (query: URLSearchParams) => {
    const after = Date.parse(query.get('modified_after') ?? '1970-01-01T00:00:00Z')
    const zoneMs = query.get('dates_are_gmt') === 'true' ? 0 : OFFSET_MS
    const rows = [...orders.values()].filter((order) => Date.parse(`${order.date_modified_gmt}Z`) + zoneMs > after)
    rows.sort((a, b) => (a.date_modified_gmt < b.date_modified_gmt ? -1 : a.date_modified_gmt > b.date_modified_gmt ? 1 : a.id - b.id))
    return paged(query.get('order') === 'asc' ? rows : rows.reverse(), query)
  }
  const changeOrder = (id: number, { meta_data = [], ...json }: Record<string, unknown>) => {
    const order = orders.get(id)
    if (!order) return refuse(404, 'woocommerce_rest_shop_order_invalid_id')
    touch(order, json as Partial<WooOrder>, 1000)
    for (const { id: metaId, key, value } of meta_data as Meta[]) {
      const known = order.meta_data.find((meta) => meta.id === metaId)
      if (known) known.value = value
      else order.meta_data.push({ id: ++ids, key, value })
    }
    return Response.json(order)
  }
  const addHook = (json: Record<string, unknown>) => {
    const hook = { failures: 0, status: 'active', ...json, id: ++ids } as WooHook
    hooks.set(hook.id, hook)
    return Response.json(shown(hook), { status: 201 })
  }
  const publicProducts = (query: URLSearchParams) =>
    paged(
      Array.from({ length: 130 }, (_, at) => ({
        id: at + 1,
        name: `Basket ${at + 1}`,
        permalink: `https://${host}/p/${at + 1}`,
        sku: `B-${at + 1}`,
        prices: { price: '250050', regular_price: '300000', currency_code: 'DZD', currency_minor_unit: 2 },
        images: [{ src: `https://${host}/p.jpg` }],
        variations: [{ id: 9000 + at, attributes: [{ name: 'Size', value: 'L' }] }],
        is_in_stock: true,
      })),
      query,
    )

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

  /** A delivery as the shop signs it. */
  const signed = (secret: string, topic: string, body: Uint8Array | string) => ({
    headers: {
      'content-type': 'application/json',
      'x-wc-webhook-topic': topic,
      'x-wc-webhook-signature': createHmac('sha256', secret).update(body).digest('base64'),
    },
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  })

  return {
    url: server.url.origin,
    host,
    orders,
    hooks,
    goods,
    refusedGoods,
    requests,
    place,
    touch,
    signed,
    /** Tells all who asked to hear of it; who fails too often is told no more. `via` is where their addresses are answered. */
    async tell(topic: string, value: unknown, via: (address: string, init: RequestInit) => Promise<number>) {
      const answers: number[] = []
      for (const hook of [...hooks.values()].filter((one) => one.status === 'active' && one.topic === topic)) {
        const { headers, body } = signed(hook.secret, topic, JSON.stringify(value))
        const status = await via(hook.delivery_url, { method: 'POST', headers, body: body as Uint8Array<ArrayBuffer> })
        hook.failures = status < 300 ? 0 : hook.failures + 1
        if (hook.failures > FAILURES_MAX) hook.status = 'disabled'
        answers.push(status)
      }
      return answers
    },
    fail: (next: Fault) => {
      fault = next
    },
    calm: () => {
      fault = null
    },
    stop: () => server.stop(true),
  }
}
