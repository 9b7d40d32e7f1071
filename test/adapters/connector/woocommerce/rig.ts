import { type Desk, openDesk, type Rig } from '../../../../plugins/connector/acceptance.ts'
import type { ConnectorAdapter, InboundRequest } from '../../../../plugins/connector/index.ts'
import { openEdits, setAt } from '../edits.ts'
import { KEYS, startWoo } from './simulator.ts'

/** Shops give orders numbers of their own. */
const twoLines = {
  number: '7',
  total: '5500.00',
  line_items: [
    { id: 1, name: 'Basket', sku: 'B', quantity: 2, price: 2500, total: '5000.00' },
    { id: 2, name: 'Ribbon', sku: 'R', quantity: 1, price: 100, total: '100.00' },
  ],
}
const sentKeys = { consumerKey: 'ck_sentbytheshop01', consumerSecret: 'cs_sentbytheshop01' }
const statuses = { open: 'processing', fulfilled: 'completed', cancelled: 'cancelled' } as const

const places = {
  quantity: ['line_items.0.quantity'],
  name: ['line_items.0.name'],
  unitPrice: ['line_items.0.price'],
  sku: ['line_items.0.sku'],
  variant: ['line_items.0.meta_data.0.display_value'],
  lines: ['line_items'],
  total: ['total'],
  currency: ['currency'],
  phoneAlt: ['shipping.phone'],
  email: ['billing.email'],
  note: ['customer_note'],
  customerName: ['shipping.first_name'],
} as const

export function rig(platform: ConnectorAdapter): Rig {
  const woo = startWoo()
  const settings = { shop: woo.host }
  const secretOf = ({ context }: Desk) => String(context.credentials.webhookSecret ?? '')
  const say = (desk: Desk, topic: string, body: Uint8Array | string): InboundRequest => ({
    method: 'POST',
    url: '/webhook',
    ...woo.signed(secretOf(desk), topic, body),
  })
  const orderOf = (externalId: string) => woo.orders.get(Number(externalId))
  return {
    credentials: KEYS,
    settings,
    badCredentials: { consumerSecret: 'cs_ffffffffffffffff' },
    open: (options) => openDesk({ ...platform, net: [woo.host] }, { [woo.host]: woo.url }, { credentials: KEYS, settings, ...options }),
    place: async (_, count) => Array.from({ length: count }, (_, at) => String(woo.place(at % 2 === 0 ? {} : twoLines).id)),
    async become(_, externalId, status) {
      const order = orderOf(externalId)
      if (order) woo.touch(order, { status: statuses[status] })
    },
    async reduce(_, externalId) {
      const order = orderOf(externalId)
      if (!order) return
      const [first, ...others] = order.line_items
      const less = first && { ...first, quantity: first.quantity - 1, total: String(first.price * (first.quantity - 1)) }
      woo.touch(order, { line_items: less ? [less, ...others] : [], total: String(Number(order.total) - (first?.price ?? 0)) })
    },
    discard: async (_, externalId) => void woo.orders.delete(Number(externalId)),
    unfinished: async () => String(woo.place({ status: 'pending' }).id),
    edits: openEdits(places).fields,
    async edit(_, externalId, change) {
      const order = orderOf(externalId)
      if (!order) throw new Error(`There is no order ${externalId}.`)
      const [first] = order.line_items
      if (first && change.variant !== undefined) Object.assign(first, { meta_data: [{ id: 1, key: 'pa_colour', value: 'x' }] })
      for (const [field, value] of Object.entries(change))
        for (const place of places[field as keyof typeof places]) setAt(order, place.split('.'), value)
      woo.touch(order, {})
    },
    pushed: { confirmed: null, sent: null, delivered: 'completed', returned: 'cancelled', cancelled: 'cancelled' },
    topics: ['order.created', 'order.updated', 'order.deleted', 'order.restored'],
    shelf: {
      async put(_, put) {
        woo.goods.clear()
        for (const [at, { sku, stock, isVersion }] of put.entries()) {
          const kind = isVersion ? ({ parent_id: 900, type: 'variation' } as const) : ({ parent_id: 0, type: 'simple' } as const)
          woo.goods.set(at + 1, { id: at + 1, ...kind, sku, manage_stock: stock !== null, stock_quantity: stock })
        }
      },
      levels: async () =>
        Object.fromEntries(
          [...woo.goods.values()].map(({ sku, manage_stock, stock_quantity }) => [sku, manage_stock ? stock_quantity : null]),
        ),
      async refuse(_, sku) {
        woo.refusedGoods.clear()
        for (const one of woo.goods.values()) if (one.sku === sku) woo.refusedGoods.add(one.id)
      },
    },
    seen: async () => ({
      statuses: Object.fromEntries([...woo.orders.values()].map(({ id, status }) => [String(id), status])),
      orders: [...woo.orders.values()].map(({ id, total, billing, line_items, shipping_total: delivery, date_created_gmt: made }) => ({
        externalId: String(id),
        total,
        phone: billing.phone ?? '',
        city: billing.city ?? '',
        lines: line_items.length,
        pieces: line_items.reduce((sum, line) => sum + (line?.quantity ?? 0), 0),
        unitPrice: String(line_items[0]?.price),
        delivery,
        createdAt: `${made}Z`,
      })),
      subscriptions: [...woo.hooks.values()].map(({ topic, delivery_url: address, status }) => ({
        topic,
        address,
        isOn: status === 'active',
      })),
      trackingIds: [...woo.orders.values()].flatMap(({ meta_data }) =>
        meta_data.filter(({ key }) => key === '_tracking_number').map(({ value }) => String(value)),
      ),
      calls: woo.requests,
    }),
    callback: async (desk, externalId) => say(desk, 'order.updated', JSON.stringify(orderOf(externalId))),
    gone: async (desk, externalId) => say(desk, 'order.deleted', JSON.stringify({ id: Number(externalId) })),
    signed: async (desk, body) => say(desk, 'order.updated', body),
    proof: 'x-wc-webhook-signature',
    switchOff: async () => {
      for (const hook of woo.hooks.values()) hook.status = 'disabled'
    },
    sentKeys,
    keys: ({ state }) => ({
      method: 'POST',
      url: '/callback',
      headers: { 'content-type': 'application/json' },
      body: new TextEncoder().encode(
        JSON.stringify({
          key_id: 1,
          user_id: state,
          consumer_key: sentKeys.consumerKey,
          consumer_secret: sentKeys.consumerSecret,
          key_permissions: 'read_write',
        }),
      ),
    }),
    fail: woo.fail,
    calm: woo.calm,
    close: () => woo.stop(),
  }
}
