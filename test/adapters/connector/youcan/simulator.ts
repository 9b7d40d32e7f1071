import { createHmac } from 'node:crypto'
import type { Fault } from '../../../../plugins/connector/acceptance.ts'
import { openEdits } from '../edits.ts'

export const APP = { clientId: '7', clientSecret: 'yc_0123456789abcdef' }
export const TOKEN = 'token-of-the-shop'
const CODE = 'code-of-the-owner'
const PAGE = 20

interface YouCanOrder {
  readonly id: string
  readonly ref: string
  status: string
  total: number
  readonly created: number
  updated: number
  /** Forms that take cash ask in fields of their own, and leave the address empty. */
  readonly asksItself: boolean
}

const iso = (ms: number) => new Date(ms).toISOString()
/** As PHP writes JSON. */
const php = (value: unknown) =>
  JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The platform as its documents have it, with its traps: one event alone, empty addresses, signatures over what PHP writes. */
export function startYouCan({ host = 'basket.youcan.shop' } = {}) {
  const orders = new Map<string, YouCanOrder>()
  const hooks = new Map<string, { id: string; event: string; target_url: string }>()
  const requests: { at: number; method: string; path: string; query: string; headers: Record<string, string>; body: string }[] = []
  const tokens = new Set([TOKEN])
  let clock = Date.parse('2026-11-20T10:00:00Z')
  let fault: Fault | null = null

  const place = (): YouCanOrder => {
    clock += 1000
    const order: YouCanOrder = {
      id: crypto.randomUUID(),
      ref: String(orders.size + 1).padStart(3, '0'),
      status: 'open',
      total: 5400,
      created: clock,
      updated: clock,
      asksItself: orders.size % 2 === 1,
    }
    orders.set(order.id, order)
    return order
  }
  const touch = (order: YouCanOrder, status: string) => {
    clock += 60_000
    Object.assign(order, { status, updated: clock })
  }

  const address = { first_line: '3 rue A', city: 'Bab Ezzouar', region: 'Alger', country_code: 'DZ', phone: null }
  const edits = openEdits({
    quantity: ['variants.0.quantity'],
    name: ['variants.0.variant.product.name'],
    unitPrice: ['variants.0.price'],
    sku: ['variants.0.variant.sku'],
    variant: ['variants.0.variant.values'],
    lines: ['variants'],
    total: ['total'],
    currency: ['currency'],
    phoneAlt: ['shipping.address.0.phone'],
    email: ['customer.email'],
    note: ['notes'],
    customerName: ['customer.first_name'],
  })
  const shown = (order: YouCanOrder) => edits.apply(order.id, whole(order))
  const whole = (order: YouCanOrder) => ({
    id: order.id,
    ref: order.ref,
    total: order.total,
    currency: 'DZD',
    notes: null,
    status: 1,
    status_object: { slug: order.status, name: order.status, color: '#fff' },
    extra_fields: order.asksItself ? { Téléphone: '0550 12 34 56', Ville: 'Bab Ezzouar', Wilaya: 'Alger' } : {},
    created_at: iso(order.created),
    updated_at: iso(order.updated),
    customer: { id: 'c', first_name: 'Lina', last_name: 'Saadi', email: null, phone: order.asksItself ? null : '0550 12 34 56' },
    payment: { gateway_type_text: 'Cash on Delivery', address: [] },
    shipping: { price: 400, is_free: false, tracking_number: null, address: order.asksItself ? [] : [address] },
    variants: [
      {
        id: 'v',
        price: 2500,
        quantity: 2,
        variant: { sku: 'B', price: 2500, values: ['Red', 'L'], product: { name: 'Basket', slug: 'basket' } },
      },
    ],
  })
  const paged = (found: readonly unknown[], query: URLSearchParams) => {
    const page = Number(query.get('page') ?? 1)
    const pagination = { total: found.length, current_page: page, total_pages: Math.max(1, Math.ceil(found.length / PAGE)) }
    return Response.json({ data: found.slice((page - 1) * PAGE, page * PAGE), meta: { pagination } })
  }
  const refuse = (status: number, detail: string) => Response.json({ status, detail }, { status })

  function tokenFor(form: URLSearchParams): Response {
    const isOurs = form.get('client_id') === APP.clientId && form.get('client_secret') === APP.clientSecret
    if (!isOurs || form.get('code') !== CODE) return refuse(401, 'invalid_client')
    return Response.json({ token_type: 'Bearer', expires_in: 1_295_999, access_token: TOKEN, refresh_token: 'refresh-1' })
  }

  function answer(request: Request, body: string): Response {
    const url = new URL(request.url)
    const { method } = request
    const asked = `${method} ${url.pathname}`
    if (asked === 'POST /oauth/token') return tokenFor(new URLSearchParams(body))
    if (asked === 'GET /api/products') return paged(products, url.searchParams)
    if (!tokens.has(request.headers.get('authorization')?.slice(7) ?? '')) return refuse(401, 'Unauthenticated.')
    if (fault === 'error') return new Response('<html>', { status: 500 })
    if (fault === 'rate_limited') return new Response('{}', { status: 429, headers: { 'retry-after': '2' } })
    if (fault === 'mumbled') return Response.json({ ok: 1 })
    if (fault === 'malformed') return new Response('{"data":[{"id', { headers: { 'content-type': 'application/json' } })
    if (asked === 'GET /orders') return paged([...orders.values()].reverse().map(shown), url.searchParams)
    if (asked === 'GET /resthooks/list') return Response.json([...hooks.values()])
    if (asked === 'POST /resthooks/subscribe') return subscribe(JSON.parse(body) as { event: string; target_url: string })
    const [, ended = ''] = /^POST \/resthooks\/unsubscribe\/(.+)$/.exec(asked) ?? []
    if (ended !== '') return hooks.delete(ended) ? new Response(null, { status: 204 }) : refuse(404, 'Not found')
    const order = orders.get(/^GET \/orders\/(.+)$/.exec(asked)?.[1] ?? '')
    return order ? Response.json(shown(order)) : refuse(404, 'Not found')
  }
  function subscribe({ event, target_url }: { event: string; target_url: string }): Response {
    if (!['order.create', 'inventory.low', 'upsell.accept'].includes(event)) return refuse(422, 'The event is invalid.')
    const id = crypto.randomUUID()
    hooks.set(id, { id, event, target_url })
    return Response.json({ id })
  }
  const products = Array.from({ length: 30 }, (_, at) => ({
    id: `p-${at}`,
    name: `Basket ${at + 1}`,
    slug: `basket-${at + 1}`,
    public_url: `https://${host}/products/basket-${at + 1}`,
    description: '<p>Woven</p>',
    price: 2500.5,
    compare_at_price: 3000,
    images: [{ url: `https://${host}/p.jpg`, order: 1 }],
    variants: [{ id: `v-${at}`, sku: 'B-L', price: 2500.5, values: ['L'], track_inventory: true, inventory: 4 }],
  }))

  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const body = await request.text()
      const { pathname, search } = new URL(request.url)
      requests.push({
        at: Date.now(),
        method: request.method,
        path: pathname,
        query: search.slice(1),
        headers: Object.fromEntries(request.headers),
        body,
      })
      return answer(request, body)
    },
  })
  return {
    url: server.url.origin,
    host,
    orders,
    edits,
    hooks,
    requests,
    place,
    touch,
    shown,
    /** A callback: what is sent is not what is signed. */
    signed: (secret: string, value: unknown) => ({
      headers: {
        'content-type': 'application/json',
        'x-youcan-signature': createHmac('sha256', secret).update(php(value)).digest('hex'),
      },
      body: new TextEncoder().encode(JSON.stringify(value)),
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
