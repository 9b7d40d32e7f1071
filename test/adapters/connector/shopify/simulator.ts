import { createHmac } from 'node:crypto'
import type { Fault } from '../../../../plugins/connector/acceptance.ts'

export const APP = { clientId: 'app-of-ours', clientSecret: 'shpss_0123456789abcdef' }
export const TOKEN = 'shpat_0123456789abcdef'

interface ShopifyOrder {
  id: number
  name: string
  note: string | null
  phone: string | null
  created: number
  updated: number
  cancelled: number | null
  fulfilment: 'unfulfilled' | 'fulfilled'
  total: string
  delivery: string
}

const iso = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z')
/** Callbacks tell times in the shop's own zone. */
const zoned = (ms: number) => `${new Date(ms + 3_600_000).toISOString().slice(0, 19)}+01:00`
const money = (amount: string) => ({ shopMoney: { amount, currencyCode: 'DZD' } })

/** A shop as the documents of the platform have it, with its traps: errors in answers of status 200, two ways of writing an order, codes that work once. */
export function startShopify({ host = 'basket.myshopify.com' } = {}) {
  const orders = new Map<number, ShopifyOrder>()
  const hooks = new Map<string, { id: string; topic: string; uri: string }>()
  const requests: { at: number; method: string; path: string; query: string; headers: Record<string, string>; body: string }[] = []
  const tokens = new Set([TOKEN])
  const refreshing = new Set<string>()
  const codes = new Set(['code-of-the-owner'])
  let ids = 5_000_000_000
  let clock = Date.parse('2026-11-20T10:00:00Z')
  let fault: Fault | null = null

  const place = (change: Partial<ShopifyOrder> = {}): ShopifyOrder => {
    const id = ++ids
    clock += 1000
    const order = {
      id,
      name: `#${id - 5_000_000_000 + 1000}`,
      note: null,
      phone: null,
      created: clock,
      updated: clock,
      cancelled: null,
      fulfilment: 'unfulfilled',
      total: '5400.00',
      delivery: '400.00',
      ...change,
    } satisfies ShopifyOrder
    orders.set(id, order)
    return order
  }
  const touch = (order: ShopifyOrder, change: Partial<ShopifyOrder>) => {
    clock += 60_000
    Object.assign(order, change, { updated: clock })
  }

  const asGraphql = (order: ShopifyOrder) => ({
    id: `gid://shopify/Order/${order.id}`,
    name: order.name,
    email: null,
    phone: order.phone,
    note: order.note,
    createdAt: iso(order.created),
    updatedAt: iso(order.updated),
    cancelledAt: order.cancelled === null ? null : iso(order.cancelled),
    displayFinancialStatus: 'PENDING',
    displayFulfillmentStatus: order.fulfilment.toUpperCase(),
    currencyCode: 'DZD',
    totalPriceSet: money(order.total),
    totalShippingPriceSet: money(order.delivery),
    customer: null,
    shippingAddress: {
      name: 'Lina Saadi',
      phone: null,
      address1: '3 rue A',
      address2: null,
      city: 'Bab Ezzouar',
      province: 'Alger',
      zip: '16000',
      countryCodeV2: 'DZ',
    },
    customAttributes: [{ key: 'Téléphone', value: '0550123456' }],
    lineItems: {
      nodes: [{ title: 'Basket', variantTitle: 'Default Title', quantity: 2, sku: 'B', originalUnitPriceSet: money('2500.0') }],
    },
  })
  const asCallback = (order: ShopifyOrder) => ({
    id: order.id,
    admin_graphql_api_id: `gid://shopify/Order/${order.id}`,
    name: order.name,
    email: '',
    phone: order.phone,
    note: order.note,
    created_at: zoned(order.created),
    updated_at: zoned(order.updated),
    cancelled_at: order.cancelled === null ? null : zoned(order.cancelled),
    financial_status: 'pending',
    fulfillment_status: order.fulfilment === 'fulfilled' ? 'fulfilled' : null,
    currency: 'DZD',
    total_price: order.total,
    total_shipping_price_set: { shop_money: { amount: order.delivery, currency_code: 'DZD' } },
    customer: null,
    shipping_address: {
      first_name: 'Lina',
      last_name: 'Saadi',
      phone: null,
      address1: '3 rue A',
      address2: null,
      city: 'Bab Ezzouar',
      province: 'Alger',
      zip: '16000',
      country_code: 'DZ',
    },
    note_attributes: [{ name: 'Téléphone', value: '0550123456' }],
    line_items: [{ title: 'Basket', variant_title: 'Default Title', quantity: 2, sku: 'B', price: '2500.00' }],
  })

  function answerQuery(query: string, variables: Record<string, string | null>): object {
    if (query.includes('orders(first: 50')) return { orders: pageOf(variables) }
    if (query.includes('webhookSubscriptions(')) return { webhookSubscriptions: { nodes: [...hooks.values()] } }
    if (query.includes('webhookSubscriptionCreate(')) {
      const id = `gid://shopify/WebhookSubscription/${++ids}`
      const isThere = [...hooks.values()].some(({ topic, uri }) => topic === variables.topic && uri === variables.uri)
      if (isThere)
        return {
          webhookSubscriptionCreate: {
            webhookSubscription: null,
            userErrors: [{ message: 'Address for this topic has already been taken' }],
          },
        }
      hooks.set(id, { id, topic: String(variables.topic), uri: String(variables.uri) })
      return { webhookSubscriptionCreate: { webhookSubscription: { id }, userErrors: [] } }
    }
    if (query.includes('webhookSubscriptionDelete(')) {
      hooks.delete(String(variables.id))
      return { webhookSubscriptionDelete: { deletedWebhookSubscriptionId: variables.id, userErrors: [] } }
    }
    return { shop: { name: 'Basket' } }
  }
  const pageOf = ({ after, query }: Record<string, string | null>) => {
    const since = Date.parse(/updated_at:>='([^']+)'/.exec(query ?? '')?.[1] ?? '1970-01-01T00:00:00Z')
    const all = [...orders.values()].filter(({ updated }) => updated >= since).sort((a, b) => a.updated - b.updated || a.id - b.id)
    const from = after === null || after === undefined ? 0 : Number(after)
    const end = from + 50
    return { nodes: all.slice(from, end).map(asGraphql), pageInfo: { hasNextPage: end < all.length, endCursor: String(end) } }
  }

  function giveToken(asked: Record<string, string>): Response {
    const isApp = asked.client_id === APP.clientId && asked.client_secret === APP.clientSecret
    const proof = asked.grant_type === 'refresh_token' ? refreshing.delete(asked.refresh_token ?? '') : codes.delete(asked.code ?? '')
    if (!isApp || !proof) return Response.json({ error: 'invalid_grant' }, { status: 400 })
    const [access_token, refresh_token] = [`shpat_${crypto.randomUUID()}`, `shprt_${crypto.randomUUID()}`]
    tokens.add(access_token)
    refreshing.add(refresh_token)
    return Response.json({ access_token, refresh_token, scope: 'read_products,read_orders', expires_in: 3600 })
  }

  async function answer(request: Request, body: string): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/products.json') {
      const count = searchParams.get('page') === '1' ? 250 : 3
      const variants = [{ id: 1, title: 'L', sku: 'B-L', available: true, price: '19.99', compare_at_price: '25.00' }]
      const product = {
        id: 7,
        title: 'Basket',
        handle: 'basket',
        body_html: '<p>x</p>',
        variants,
        images: [{ src: `https://${host}/1.jpg` }],
      }
      return Response.json({ products: Array.from({ length: count }, () => product) })
    }
    if (pathname === '/admin/oauth/access_token') return giveToken(JSON.parse(body))
    if (!tokens.has(request.headers.get('x-shopify-access-token') ?? ''))
      return Response.json({ errors: 'Invalid API key or access token' }, { status: 401 })
    if (fault === 'error') return new Response('oops', { status: 502 })
    if (fault === 'rate_limited') return new Response('{}', { status: 429, headers: { 'retry-after': '2' } })
    if (fault === 'mumbled') return Response.json({ ok: 1 })
    if (fault === 'malformed') return new Response('{"data":{"ord')
    const { query, variables } = JSON.parse(body)
    return Response.json({ data: answerQuery(query, variables ?? {}) })
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

  const signed = (secret: string, topic: string, body: Uint8Array | string) => ({
    headers: {
      'content-type': 'application/json',
      'x-shopify-topic': topic,
      'x-shopify-shop-domain': host,
      'x-shopify-hmac-sha256': createHmac('sha256', secret).update(body).digest('base64'),
    },
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  })

  return {
    url: server.url.origin,
    host,
    orders,
    hooks,
    requests,
    place,
    touch,
    signed,
    told: (order: ShopifyOrder) => JSON.stringify(asCallback(order)),
    fail: (next: Fault) => {
      fault = next
    },
    calm: () => {
      fault = null
    },
    stop: () => server.stop(true),
  }
}
