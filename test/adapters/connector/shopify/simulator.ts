import { createHmac } from 'node:crypto'
import type { Fault } from '../../../../plugins/connector/acceptance.ts'
import { openEdits } from '../edits.ts'

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
  /** As it was ordered; an edit leaves it, and lowers the other. */
  total: string
  currentTotal: string
  delivery: string
  lines: Line[]
  /** Goods lie at two places: each is fulfilled by itself. */
  places: { id: string; status: 'OPEN' | 'CLOSED' | 'ON_HOLD' }[]
  sent: Fulfillment[]
  isPaid: boolean
}

/** What is taken away stays in `quantity`. */
interface Line {
  title: string
  quantity: number
  current: number
}

interface Fulfillment {
  id: string
  number: string | null
  company: string | null
  displayStatus: string
  notified: number
}

/** Whatever a question brings along. */
// biome-ignore lint/suspicious/noExplicitAny: variables are of as many shapes as there are questions
type Row = Record<string, any>

const iso = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z')
/** Callbacks tell times in the shop's own zone. */
const zoned = (ms: number) => `${new Date(ms + 3_600_000).toISOString().slice(0, 19)}+01:00`
const money = (amount: string) => ({ shopMoney: { amount, currencyCode: 'DZD' } })

/** How many of a list a question asks for. */
const askedOf = (query: string, list: string) => Number(new RegExp(`\\b${list}\\(first: (\\d+)`).exec(query)?.[1] ?? 0)
const COST_MAX = 1000
/** What it could bring, a point for each thing: an order has ten beside its lines, and a line its price. */
const costOf = (query: string) => Math.max(1, askedOf(query, 'orders')) * (10 + 3 * askedOf(query, 'lineItems'))

/** A shop as the documents of the platform have it, with its traps: errors in answers of status 200, two ways of writing an order, codes that work once. */
export function startShopify({ host = 'basket.myshopify.com' } = {}) {
  const orders = new Map<number, ShopifyOrder>()
  const hooks = new Map<string, { id: string; topic: string; uri: string }>()
  const requests: { at: number; method: string; path: string; query: string; headers: Record<string, string>; body: string }[] = []
  const tokens = new Set([TOKEN])
  const refreshing = new Set<string>()
  const events: string[] = []
  const codes = new Set<string>()
  let ids = 5_000_000_000
  let clock = Date.parse('2026-11-20T10:00:00Z')
  let fault: Fault | null = null

  const place = (change: Partial<ShopifyOrder> = {}): ShopifyOrder => {
    const id = ++ids
    clock += 1000
    const { total = '5400.00' } = change
    const order = {
      id,
      name: `#${id - 5_000_000_000 + 1000}`,
      note: null,
      phone: null,
      created: clock,
      updated: clock,
      cancelled: null,
      fulfilment: 'unfulfilled',
      total,
      currentTotal: total,
      delivery: '400.00',
      lines: [{ title: 'Basket', quantity: 2, current: 2 }],
      places: [1, 2].map((at) => ({ id: `gid://shopify/FulfillmentOrder/${id * 10 + at}`, status: 'OPEN' as const })),
      sent: [],
      isPaid: false,
      ...change,
    } satisfies ShopifyOrder
    orders.set(id, order)
    return order
  }
  const touch = (order: ShopifyOrder, change: Partial<ShopifyOrder>) => {
    clock += 60_000
    Object.assign(order, change, { updated: clock })
  }

  /** One piece less of the first line that has any. */
  const takeAway = (order: ShopifyOrder) => {
    const at = order.lines.findIndex(({ current }) => current > 0)
    const lines = order.lines.map((line, index) => (index === at ? { ...line, current: line.current - 1 } : line))
    const rest = lines.some(({ current }) => current > 0) ? (Number(order.currentTotal) - 2500).toFixed(2) : '0.00'
    touch(order, { lines, currentTotal: rest })
  }

  const linesIn = ({ lines }: ShopifyOrder, first: number, after: unknown) => {
    const from = Number(after ?? 0)
    const nodes = lines.slice(from, from + first).map(({ title, quantity, current: currentQuantity }) => ({
      title,
      variantTitle: 'Default Title',
      quantity,
      currentQuantity,
      sku: 'B',
      originalUnitPriceSet: money('2500.0'),
    }))
    const end = from + nodes.length
    return { nodes, pageInfo: { hasNextPage: end < lines.length, endCursor: String(end) } }
  }
  const edits = openEdits({
    quantity: ['lineItems.nodes.0.quantity', 'lineItems.nodes.0.currentQuantity'],
    name: ['lineItems.nodes.0.title'],
    unitPrice: ['lineItems.nodes.0.originalUnitPriceSet.shopMoney.amount'],
    sku: ['lineItems.nodes.0.sku'],
    variant: ['lineItems.nodes.0.variantTitle'],
    lines: ['lineItems.nodes'],
    total: ['currentTotalPriceSet.shopMoney.amount'],
    currency: ['currencyCode'],
    phoneAlt: ['phone'],
    email: ['email'],
    note: ['note'],
    customerName: ['shippingAddress.name'],
  })
  const asGraphql = (order: ShopifyOrder, query: string, after?: unknown) => edits.apply(order.id, whole(order, query, after))
  const whole = (order: ShopifyOrder, query: string, after?: unknown) => ({
    id: `gid://shopify/Order/${order.id}`,
    name: order.name,
    email: null,
    phone: order.phone,
    note: order.note,
    createdAt: iso(order.created),
    updatedAt: iso(order.updated),
    cancelledAt: order.cancelled === null ? null : iso(order.cancelled),
    displayFinancialStatus: order.isPaid ? 'PAID' : 'PENDING',
    displayFulfillmentStatus: order.fulfilment.toUpperCase(),
    currencyCode: 'DZD',
    totalPriceSet: money(order.total),
    currentTotalPriceSet: money(order.currentTotal),
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
    lineItems: linesIn(order, askedOf(query, 'lineItems'), after),
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
    current_total_price: order.currentTotal,
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
    line_items: order.lines.map(({ title, quantity, current }) => ({
      title,
      variant_title: 'Default Title',
      quantity,
      current_quantity: current,
      sku: 'B',
      price: '2500.00',
    })),
  })

  /** What the shop would not do stands in the answer to a mutation, and in the answers to some under a name of its own. */
  const mutations: Record<string, (variables: Row) => object> = {
    fulfillmentCreate: ({ fulfillment }) => {
      const [{ fulfillmentOrderId }, ...more] = fulfillment.lineItemsByFulfillmentOrder
      const order = [...orders.values()].find(({ places }) => places.some(({ id }) => id === fulfillmentOrderId))
      const place = order?.places.find(({ id }) => id === fulfillmentOrderId)
      if (!order || place?.status !== 'OPEN' || more.length > 0) return refused('Fulfillment order is not in a fulfillable state')
      place.status = 'CLOSED'
      const sent = { id: `gid://shopify/Fulfillment/${++ids}`, number: null, company: null, displayStatus: 'FULFILLED', notified: 0 }
      order.sent.push(Object.assign(sent, fulfillment.trackingInfo, { notified: fulfillment.notifyCustomer ? 1 : 0 }))
      touch(order, order.places.every(({ status }) => status === 'CLOSED') ? { fulfilment: 'fulfilled' } : {})
      return { fulfillment: { id: sent.id }, userErrors: [] }
    },
    fulfillmentTrackingInfoUpdate: ({ fulfillmentId, trackingInfoInput }) => {
      const sent = sentAs(fulfillmentId)
      if (!sent) return refused('Fulfillment does not exist')
      Object.assign(sent, trackingInfoInput)
      return { fulfillment: { id: sent.id }, userErrors: [] }
    },
    fulfillmentEventCreate: ({ fulfillmentEvent }) => {
      const sent = sentAs(fulfillmentEvent.fulfillmentId)
      if (!sent) return refused('Fulfillment does not exist')
      events.push(fulfillmentEvent.status)
      sent.displayStatus = fulfillmentEvent.status
      return { fulfillmentEvent: { id: `gid://shopify/FulfillmentEvent/${++ids}` }, userErrors: [] }
    },
    orderMarkAsPaid: ({ input }) => {
      const order = orderNamed(input.id)
      if (!order || order.isPaid) return refused('Order cannot be marked as paid.')
      touch(order, { isPaid: true })
      return { order: { id: input.id }, userErrors: [] }
    },
    orderCancel: ({ orderId, refundMethod }) => {
      const order = orderNamed(orderId)
      const why =
        refundMethod?.originalPaymentMethodsRefund !== false
          ? 'It gives money back'
          : order?.sent.length
            ? 'Cannot cancel a fulfilled order'
            : ''
      if (!order || order.cancelled !== null || why)
        return { job: null, orderCancelUserErrors: [{ message: why || 'Order has been cancelled' }] }
      touch(order, { cancelled: clock })
      return { job: { id: 'gid://shopify/Job/1' }, orderCancelUserErrors: [] }
    },
  }
  const refused = (message: string) => ({ userErrors: [{ message }] })
  const sentAs = (id: string) => [...orders.values()].flatMap(({ sent }) => sent).find((one) => one.id === id)
  const orderNamed = (id: string) => orders.get(Number(id.replace('gid://shopify/Order/', '')))
  const stateOf = (order: ShopifyOrder) => ({
    fulfillmentOrders: { nodes: order.places },
    fulfillments: order.sent.map(({ id, number, displayStatus }) => ({
      id,
      status: 'SUCCESS',
      displayStatus,
      trackingInfo: number === null ? [] : [{ number }],
    })),
  })

  function answerQuery(query: string, variables: Row): object {
    const name = Object.keys(mutations).find((mutation) => query.includes(`${mutation}(`))
    if (name) return { [name]: mutations[name]?.(variables) }
    if (query.includes('order(id: $id)')) {
      const order = orderNamed(String(variables.id))
      return { order: order ? { ...asGraphql(order, query, variables.after), ...stateOf(order) } : null }
    }
    if (query.includes('orders(first:')) return { orders: pageOf(query, variables) }
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
  /** A cursor names the order behind which it goes on, by what they are sorted by. */
  const pageOf = (asked: string, { after, query }: Record<string, string | null>) => {
    const since = Date.parse(/updated_at:>='([^']+)'/.exec(query ?? '')?.[1] ?? '1970-01-01T00:00:00Z')
    const [changed, id] = after ? (JSON.parse(atob(after)) as [number, number]) : [0, 0]
    const left = [...orders.values()]
      .filter(({ updated }) => updated >= since)
      .filter((order) => order.updated > changed || (order.updated === changed && order.id > id))
      .sort((a, b) => a.updated - b.updated || a.id - b.id)
    const shown = left.slice(0, askedOf(asked, 'orders'))
    const last = shown.at(-1)
    const endCursor = last ? btoa(JSON.stringify([last.updated, last.id])) : null
    return { nodes: shown.map((order) => asGraphql(order, asked)), pageInfo: { hasNextPage: shown.length < left.length, endCursor } }
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
    if (costOf(query) > COST_MAX) return Response.json({ errors: [{ message: 'Too dear', extensions: { code: 'MAX_COST_EXCEEDED' } }] })
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

  /** What the owner's browser brings back: signed over all of it but the signature, in the order of its names. */
  const sendBack = (state: string, { secret = APP.clientSecret, minutes = 0, shop = host } = {}) => {
    const timestamp = String(Math.floor(Date.now() / 1000) + minutes * 60)
    const code = crypto.randomUUID()
    codes.add(code)
    const told = new URLSearchParams({ code, host: btoa(`${host}/admin`), shop, state, timestamp })
    told.append('hmac', createHmac('sha256', secret).update(told.toString()).digest('hex'))
    return told
  }
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
    edits,
    fulfillments: () => [...orders.values()].flatMap(({ sent }) => sent),
    events,
    hooks,
    requests,
    tokens,
    place,
    touch,
    takeAway,
    sendBack,
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
