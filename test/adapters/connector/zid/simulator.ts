import type { Fault } from '../../../../plugins/connector/acceptance.ts'
import { openEdits } from '../edits.ts'

export const APP = { clientId: '48', clientSecret: 'zid_0123456789abcdef' }
export const TOKENS = { accessToken: 'token-of-the-shop', authorization: 'token-of-the-app' }
export const CODE = 'code-of-the-owner'

interface ZidOrder {
  readonly id: number
  status: string
  readonly created: number
  updated: number
  /** Amounts are floats written out. */
  readonly total: string
  /** Somebody else receives it. */
  readonly isGift: boolean
  tracking: string | null
}

const STATUSES = ['new', 'preparing', 'ready', 'indelivery', 'delivered', 'cancelled']

interface Hook {
  readonly event: string
  readonly target_url: string
  readonly original_id: number
  readonly subscriber: string
  readonly username: string
  readonly password: string
  active: boolean
}

const utc = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')

/** The platform as its documents have it, with its traps: two tokens, lists without places, times without zones, floats written out. */
export function startZid() {
  const orders = new Map<number, ZidOrder>()
  const hooks = new Map<string, Hook>()
  const requests: { at: number; method: string; path: string; query: string; headers: Record<string, string>; body: string }[] = []
  let clock = Date.parse('2026-11-20T10:00:00Z')
  let placed = 0
  let fault: Fault | null = null

  const place = (): ZidOrder => {
    clock += 1000
    const at = placed++
    const order: ZidOrder = {
      id: 60_407_000 + at,
      status: 'new',
      created: clock,
      updated: clock,
      total: at % 2 === 0 ? '5400.00000000000000' : '5399.99999892193000',
      isGift: at % 3 === 0,
      tracking: null,
    }
    orders.set(order.id, order)
    return order
  }
  const touch = (order: ZidOrder, status: string) => {
    clock += 60_000
    Object.assign(order, { status, updated: clock })
  }

  const edits = openEdits({
    quantity: ['products.0.quantity'],
    name: ['products.0.name'],
    unitPrice: ['products.0.price'],
    sku: ['products.0.sku'],
    lines: ['products'],
    total: ['order_total'],
    currency: ['currency_code'],
    phoneAlt: ['customer.mobile'],
    email: ['customer.email'],
    note: ['customer_note'],
    customerName: ['consignee.name'],
  })
  const listed = (order: ZidOrder) => edits.apply(order.id, shortOf(order))
  const viewed = (order: ZidOrder) => edits.apply(order.id, wholeOf(order))
  const shortOf = ({ id, status, total, created, updated, isGift }: ZidOrder) => ({
    id,
    code: 'YMK3VPgkhy',
    currency_code: 'DZD',
    order_status: { name: 'جديد', code: status },
    customer: { id: 1441, name: isGift ? 'Sami' : 'Lina Saadi', email: 'lina@example.com', mobile: '213550123456', note: '' },
    consignee: isGift ? { name: 'Lina Saadi', email: '', mobile: '+213550123456' } : null,
    order_total: total,
    order_total_string: '5,400.00 DZD',
    created_at: utc(created),
    updated_at: utc(updated),
    products: [{ id: 'f91a', name: 'Basket', sku: 'B', quantity: 2, price: 2500, total: 5000, tax_percentage: 0 }],
    shipping: { method: { code: 'zid_cod', tracking: { number: null } } },
  })
  const wholeOf = (order: ZidOrder) => ({
    ...shortOf(order),
    shipping: {
      method: { code: 'zid_cod', tracking: { number: order.tracking } },
      address: {
        formatted_address: null,
        street: '3 rue A',
        district: 'Centre',
        city: { id: 1, name: 'Bab Ezzouar' },
        country: { id: 184, name: 'Algeria', code: 'DZ' },
      },
    },
    payment: {
      invoice: [
        { code: 'sub_totals_after_vat', value: '5000.00000000000000' },
        { code: 'shipping', value: '450.50000000000000' },
        { code: 'shipping_discount', value: '-50.50000000000000' },
        { code: 'total', value: order.total },
      ],
    },
    customer_note: 'Ring twice',
  })
  const refuse = (status: number, message: string) => Response.json({ status: 'error', message: { description: message } }, { status })

  function tokenFor(form: URLSearchParams): Response {
    const isOurs = form.get('client_id') === APP.clientId && form.get('client_secret') === APP.clientSecret
    if (!isOurs || form.get('code') !== CODE) return Response.json({ error: 'invalid_client' }, { status: 401 })
    const { accessToken, authorization } = TOKENS
    return Response.json({ access_token: accessToken, Authorization: authorization, refresh_token: 'refresh-1', expires_in: 31_536_000 })
  }
  function list(query: URLSearchParams): Response {
    const [page, perPage] = [Number(query.get('page')), Number(query.get('per_page'))]
    const from = query.get('date_attribute') === 'updated_at' ? Date.parse(query.get('date_from')?.replace('+0000', 'Z') ?? '') : 0
    const found = [...orders.values()].filter(({ updated }) => updated >= from).reverse()
    return Response.json({ status: 'object', orders: found.slice((page - 1) * perPage, page * perPage).map(listed) })
  }
  function subscribe(hook: Omit<Hook, 'active'>): Response {
    const key = `${hook.event} ${hook.target_url}`
    if (!Number.isInteger(hook.original_id) || hooks.has(key)) return refuse(422, 'Inputs')
    hooks.set(key, { ...hook, active: true })
    return Response.json({ id: crypto.randomUUID(), ...hook, password: undefined, active: true })
  }
  /** All that this subscriber has under this number. */
  function end(query: URLSearchParams): Response {
    const ended = [...hooks].filter(
      ([, hook]) => String(hook.original_id) === query.get('original_id') && hook.subscriber === query.get('subscriber'),
    )
    for (const [key] of ended) hooks.delete(key)
    return ended.length > 0 ? Response.json({ status: 'object' }) : refuse(404, 'Not found')
  }
  const listedHooks = () =>
    [...hooks.values()].map(({ password: _, ...hook }) => ({
      ...hook,
      status: hook.active ? 'ready' : 'inactive',
      health_status: 'healthy',
    }))
  const changes: { id: number; status: string; tracking: string | null }[] = []
  /** It takes a form in parts, and nothing else. */
  async function change(id: number, type: string, body: string): Promise<Response> {
    const order = orders.get(id)
    if (!order) return refuse(404, 'Not found')
    const form = await new Response(body, { headers: { 'content-type': type } }).formData()
    const [status, tracking] = [String(form.get('order_status')), form.get('tracking_number')]
    if (!type.startsWith('multipart/form-data') || !STATUSES.includes(status)) return refuse(422, 'Inputs')
    if (typeof tracking === 'string') order.tracking = tracking
    changes.push({ id, status, tracking: order.tracking })
    touch(order, status)
    return Response.json({ status: 'object', order: viewed(order) })
  }
  function answer({ method, headers, url }: Request, body: string): Response | Promise<Response> {
    const { pathname, searchParams } = new URL(url)
    if (pathname === '/oauth/token') return tokenFor(new URLSearchParams(body))
    const { accessToken, authorization } = TOKENS
    if (headers.get('authorization') !== `Bearer ${authorization}` || headers.get('x-manager-token') !== accessToken)
      return refuse(401, 'No such user')
    if (!headers.has('accept-language')) return refuse(400, 'Accept-Language is required')
    if (fault === 'error') return refuse(500, 'oops')
    if (fault === 'rate_limited') return new Response('{}', { status: 429, headers: { 'retry-after': '2' } })
    if (fault === 'mumbled') return Response.json({ ok: 1 })
    if (fault === 'malformed') return new Response('{"orders":[{"id', { headers: { 'content-type': 'application/json' } })
    if (`${method} ${pathname}` === 'GET /v1/managers/store/orders') return list(searchParams)
    if (pathname === '/v1/managers/webhooks' && method === 'GET') return Response.json({ status: 'object', webhooks: listedHooks() })
    if (pathname === '/v1/managers/webhooks') return method === 'POST' ? subscribe(JSON.parse(body) as Hook) : end(searchParams)
    const [, changed] = /^\/v1\/managers\/store\/orders\/(\d+)\/change-order-status$/.exec(pathname) ?? []
    if (changed !== undefined) return change(Number(changed), headers.get('content-type') ?? '', body)
    const order = orders.get(Number(/^\/v1\/managers\/store\/orders\/(\d+)\/view$/.exec(pathname)?.[1]))
    return order ? Response.json({ status: 'object', order: viewed(order) }) : refuse(404, 'Not found')
  }

  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const body = await request.text()
      const { pathname: path, search } = new URL(request.url)
      const headers = Object.fromEntries(request.headers)
      requests.push({ at: Date.now(), method: request.method, path, query: search.slice(1), headers, body })
      return answer(request, body)
    },
  })
  return {
    url: server.url.origin,
    orders,
    edits,
    hooks,
    changes,
    requests,
    /** A callback as it is sent: the order, under a name and a password. */
    sent: (order: ZidOrder, password: string) => ({
      headers: { 'content-type': 'application/json', authorization: `Basic ${btoa(`serai:${password}`)}` },
      body: new TextEncoder().encode(JSON.stringify(viewed(order))),
    }),
    place,
    touch,
    fail: (next: Fault) => {
      fault = next
    },
    calm: () => {
      fault = null
    },
    stop: () => server.stop(true),
  }
}
