import { type Desk, openDesk, type Rig } from '../../../../plugins/connector/acceptance.ts'
import type { ConnectorAdapter, InboundRequest } from '../../../../plugins/connector/index.ts'
import { APP, startLightFunnels, TOKEN } from './simulator.ts'

export function rig(platform: ConnectorAdapter): Rig {
  const shop = startLightFunnels()
  const credentials = { ...APP, accessToken: TOKEN }
  const say = ({ context }: Desk, body: Uint8Array | string): InboundRequest => ({
    method: 'POST',
    url: '/webhook',
    ...shop.signed(String(context.credentials.clientSecret), body),
  })
  const find = (externalId: string) => {
    const order = shop.orders.get(externalId)
    if (!order) throw new Error(`There is no order ${externalId}.`)
    return order
  }
  return {
    credentials,
    settings: {},
    badCredentials: { accessToken: 'somebody-elses' },
    open: (options) => openDesk(platform, { 'services.lightfunnels.com': shop.url }, { credentials, settings: {}, ...options }),
    place: async (_, count) => Array.from({ length: count }, () => shop.place().id),
    async become(_, externalId, status) {
      const cancelled = status === 'cancelled' ? Date.now() : null
      shop.touch(find(externalId), { cancelled, fulfilment: status === 'fulfilled' ? status : 'unfulfilled' })
    },
    discard: async (_, externalId) => void shop.orders.delete(externalId),
    unfinished: async () => shop.place({ test: true }).id,
    edits: shop.edits.fields,
    async edit(_, externalId, change) {
      shop.edits.edit(externalId, change)
      shop.touch(find(externalId), {})
    },
    topics: ['order/confirmed'],
    account: 'a',
    products: shop.products.map(({ title: name, price, sku }) => ({ name, price: String(price), sku })),
    seen: async () => ({
      orders: [...shop.orders.values()].map(({ id, created }) => ({
        externalId: id,
        total: '5400',
        phone: '0550123456',
        city: 'Bab Ezzouar',
        lines: 1,
        pieces: 2,
        unitPrice: '2500',
        delivery: '400',
        createdAt: new Date(created).toISOString(),
      })),
      subscriptions: [...shop.hooks.values()].map(({ type, url }) => ({ topic: type, address: url, isOn: true })),
      trackingIds: [],
      calls: shop.requests,
    }),
    callback: async (desk, externalId) => say(desk, shop.told(find(externalId))),
    async gone(desk, externalId) {
      const told = say(desk, shop.told(find(externalId)))
      shop.orders.delete(externalId)
      return told
    },
    signed: async (desk, body) => say(desk, body),
    secret: 'clientSecret',
    proof: 'lightfunnels-hmac',
    switchOff: async () => shop.hooks.clear(),
    fail: shop.fail,
    calm: shop.calm,
    close: () => shop.stop(),
  }
}
