import { createHmac } from 'node:crypto'
import type { Fault } from '../../../../plugins/connector/acceptance.ts'
import { openEdits } from '../edits.ts'

export const APP = { clientId: 'app-of-ours', clientSecret: 'lf_0123456789abcdef' }
export const TOKEN = 'lf-token-0123456789abcdef'
const CODE = 'code-of-the-owner'

interface LightOrder {
  readonly id: string
  readonly _id: number
  readonly created: number
  readonly test: boolean
  readonly country: string
  /** Null where it is not told. */
  updated: number | null
  cancelled: number | null
  fulfilment: 'unfulfilled' | 'fulfilled'
}
const isoOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
type Variables = Readonly<Record<string, unknown>>

/** The platform as its documents have it, with its traps: times as people tell them unless a format is asked for, and pieces instead of quantities. */
export function startLightFunnels() {
  const orders = new Map<string, LightOrder>()
  const hooks = new Map<string, { id: string; type: string; url: string }>()
  const requests: { at: number; method: string; path: string; query: string; headers: Record<string, string>; body: string }[] = []
  const tokens = new Set([TOKEN])
  let clock = Date.now() - 3_600_000
  let ids = 1_000
  let fault: Fault | null = null

  const place = ({ test = false, created, country = 'DZ' }: { test?: boolean; created?: number; country?: string } = {}): LightOrder => {
    const _id = ++ids
    clock += 1000
    const at = created ?? clock
    const own = { id: btoa(`Order:${_id}`), _id, created: at, updated: at, test, country }
    const order: LightOrder = { ...own, cancelled: null, fulfilment: 'unfulfilled' }
    orders.set(order.id, order)
    return order
  }
  const touch = (order: LightOrder, change: Partial<Pick<LightOrder, 'cancelled' | 'fulfilment'>>) => {
    clock += 60_000
    Object.assign(order, change, { updated: clock })
  }
  const edits = openEdits({
    name: ['items.*.title'],
    unitPrice: ['items.*.price'],
    sku: ['items.*.sku'],
    lines: ['items'],
    total: ['total'],
    currency: ['currency'],
    phoneAlt: ['customer.phone'],
    email: ['email'],
    note: ['notes'],
    customerName: ['shipping_address.first_name'],
  })
  const shown = (order: LightOrder, query: string) => edits.apply(order.id, whole(order, query))
  const whole = (order: LightOrder, query: string) => ({
    id: order.id,
    _id: order._id,
    name: `#${order._id}`,
    email: 'lina@example.dz',
    phone: '0550123456',
    total: 5400,
    shipping: 400,
    currency: 'DZD',
    financial_status: 'pending',
    fulfillment_status: order.fulfilment,
    cancelled_at: isoOf(order.cancelled),
    test: order.test,
    notes: '',
    created_at: query.includes('created_at(format:') ? new Date(order.created).toISOString() : '3 days ago',
    updated_at: query.includes('updated_at(format:') ? isoOf(order.updated) : '3 days ago',
    customer: { full_name: 'Lina Saadi', email: 'lina@example.dz', phone: '0550123456' },
    items: [1, 2].map((at) => ({ id: `${order.id}-${at}`, title: 'Basket', sku: 'B', price: 2500 })),
    shipping_address: {
      first_name: 'Lina',
      last_name: 'Saadi',
      line1: '3 rue A',
      line2: '',
      city: 'Bab Ezzouar',
      state: 'Alger',
      country: order.country,
      zip: '',
      phone: '',
    },
  })
  const products = Array.from({ length: 60 }, (_, at) => ({
    id: btoa(`Product:${at}`),
    _id: 60 - at,
    title: `Basket ${at + 1}`,
    description: 'Woven',
    price: 2500.5,
    compare_at_price: 3000,
    sku: `B-${at}`,
    thumbnail: { path: 'https://cdn.lightfunnels.example/p.jpg' },
    variants: [{ id: btoa(`Variant:${at}`), title: 'L', price: 2500.5, sku: 'B-L' }],
  }))

  /** Newest first. A cursor names the row behind which it goes on, as base64 of the documents' `[182514,182514]`. */
  function page<N extends { readonly _id: number }>(found: readonly N[], { first, after }: Variables) {
    const [before] = after ? (JSON.parse(atob(String(after))) as [number]) : [Number.POSITIVE_INFINITY]
    const left = found.filter(({ _id }) => _id < before)
    const edges = left.slice(0, Number(first)).map((node) => ({ node, cursor: btoa(JSON.stringify([node._id, node._id])) }))
    return { edges, pageInfo: { hasNextPage: edges.length < left.length, endCursor: edges.at(-1)?.cursor ?? null } }
  }
  const addHook = ({ type, url }: { type: string; url: string }) => {
    const id = btoa(`Webhook:${++ids}`)
    hooks.set(id, { id, type, url })
    return { id }
  }
  function answerTo(query: string, variables: Variables): object {
    if (query.includes('{ account')) return { account: { id: 'a', account_name: 'Baskets of Lina' } }
    if (query.includes('webhooks {')) return { webhooks: [...hooks.values()] }
    if (query.includes('createWebhook')) return { createWebhook: addHook(variables.node as { type: string; url: string }) }
    if (query.includes('deleteWebhook')) return { deleteWebhook: hooks.delete(String(variables.id)) }
    if (query.includes('products(')) return { products: page(products, variables) }
    if (query.includes('orders('))
      return {
        orders: page(
          [...orders.values()].reverse().map((order) => shown(order, query)),
          variables,
        ),
      }
    const order = orders.get(String(variables.id))
    return { node: order ? shown(order, query) : null }
  }

  function answer(request: Request, body: string): Response {
    const { pathname } = new URL(request.url)
    const json = (body === '' ? {} : JSON.parse(body)) as Record<string, unknown>
    if (pathname === '/oauth/access') {
      const isOurs = json.client_id === APP.clientId && json.client_secret === APP.clientSecret && json.code === CODE
      return isOurs ? Response.json({ access_token: TOKEN }) : Response.json({ error: 'invalid_grant' }, { status: 400 })
    }
    if (!tokens.has(request.headers.get('authorization')?.slice(7) ?? ''))
      return Response.json({ message: 'Unauthenticated' }, { status: 401 })
    if (fault === 'error') return new Response('<html>', { status: 500 })
    if (fault === 'rate_limited') return new Response('{}', { status: 429, headers: { 'retry-after': '2' } })
    if (fault === 'mumbled') return Response.json({ ok: 1 })
    if (fault === 'malformed') return new Response('{"data":{"orders":{"ed', { headers: { 'content-type': 'application/json' } })
    return Response.json({ data: answerTo(String(json.query), (json.variables ?? {}) as Variables) })
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
    hooks,
    requests,
    place,
    touch,
    /** As a callback tells it: its time as people tell it. */
    told: (order: LightOrder) => JSON.stringify(shown(order, '')),
    signed: (secret: string, body: Uint8Array | string) => ({
      headers: { 'content-type': 'application/json', 'lightfunnels-hmac': createHmac('sha256', secret).update(body).digest('base64') },
      body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
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
