import { type Desk, openDesk, type Rig } from '../../../../plugins/connector/acceptance.ts'
import type { ConnectorAdapter, InboundRequest } from '../../../../plugins/connector/index.ts'
import { KEY, SECRET, startEasyOrders } from './simulator.ts'

const statuses = { open: 'pending', fulfilled: 'delivered', cancelled: 'canceled' } as const

export function rig(platform: ConnectorAdapter): Rig {
  const shop = startEasyOrders()
  const credentials = { apiKey: KEY, webhookSecret: SECRET }
  const settings = { currency: 'DZD', listOrders: 'on' }
  const say = ({ context }: Desk, body: Uint8Array): InboundRequest => ({
    method: 'POST',
    url: '/webhook',
    headers: { 'content-type': 'application/json', secret: String(context.credentials.webhookSecret) },
    body,
  })
  const written = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
  const find = (externalId: string) => {
    const order = shop.orders.get(externalId)
    if (!order) throw new Error(`There is no order ${externalId}.`)
    return order
  }
  return {
    credentials,
    settings,
    badCredentials: { apiKey: 'somebody-elses' },
    open: (options) => openDesk(platform, { 'api.easy-orders.net': shop.url }, { credentials, settings, ...options }),
    place: async (_, count) => Array.from({ length: count }, () => shop.place().id),
    become: async (_, externalId, status) => void shop.touch(find(externalId), statuses[status]),
    discard: async (_, externalId) => void shop.orders.delete(externalId),
    unfinished: async () => shop.touch(shop.place(), 'pending_payment').id,
    edits: shop.edits.fields,
    async edit(_, externalId, change) {
      shop.edits.edit(externalId, change)
      const order = find(externalId)
      shop.touch(order, order.status)
    },
    pushed: {
      confirmed: 'confirmed',
      sent: 'in_delivery',
      delivered: 'delivered',
      returned: 'returning_from_delivery',
      cancelled: 'canceled',
    },
    account: 'store-1',
    products: shop.products.map(({ name, price, sale_price: sale, sku }) => ({ name, price: String(sale || price), sku })),
    seen: async () => ({
      statuses: Object.fromEntries([...shop.orders.values()].map(({ id, status }) => [id, status])),
      orders: [...shop.orders.values()].map(({ id, created_at: createdAt }) => ({
        externalId: id,
        total: '5400',
        phone: '0550123456',
        city: '',
        lines: 1,
        pieces: 2,
        unitPrice: '2500',
        delivery: '400',
        createdAt,
      })),
      subscriptions: [],
      trackingIds: [],
      calls: shop.requests,
    }),
    callback: async (desk, externalId) => say(desk, written(shop.shown(find(externalId)))),
    async gone(desk, externalId) {
      const told = shop.change(find(externalId))
      shop.orders.delete(externalId)
      return say(desk, written(told))
    },
    signed: async (desk, body) => say(desk, body),
    proof: 'secret',
    provesCallerAlone: true,
    keepsNoNumber: true,
    sentKeys: { apiKey: 'eo-key-sentbytheshop', callbackToken: 'a-token-in-the-address', storeId: 'store-1' },
    keys: ({ state }) => ({
      method: 'POST',
      url: `/callback?state=${state}&token=a-token-in-the-address`,
      headers: { 'content-type': 'application/json' },
      body: written({ api_key: 'eo-key-sentbytheshop', store_id: 'store-1' }),
    }),
    fail: shop.fail,
    calm: shop.calm,
    close: () => shop.stop(),
  }
}
