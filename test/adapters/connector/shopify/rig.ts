import { type Desk, openDesk, type Rig } from '../../../../plugins/connector/acceptance.ts'
import type { ConnectorAdapter, InboundRequest } from '../../../../plugins/connector/index.ts'
import { APP, startShopify, TOKEN } from './simulator.ts'

export function rig(platform: ConnectorAdapter): Rig {
  const shop = startShopify()
  const credentials = { ...APP, accessToken: TOKEN }
  const settings = { shop: shop.host }
  const say = ({ context }: Desk, topic: string, body: Uint8Array | string): InboundRequest => ({
    method: 'POST',
    url: '/webhook',
    ...shop.signed(String(context.credentials.clientSecret), topic, body),
  })
  const find = (externalId: string) => {
    const order = shop.orders.get(Number(externalId))
    if (!order) throw new Error(`There is no order ${externalId}.`)
    return order
  }
  return {
    credentials,
    settings,
    badCredentials: { accessToken: 'shpat_ffffffffffffffff' },
    open: (options) => openDesk(platform, { [shop.host]: shop.url }, { credentials, settings, ...options }),
    place: async (_, count) => Array.from({ length: count }, () => String(shop.place().id)),
    async become(_, externalId, status) {
      const [cancelled, fulfilment] = [
        status === 'cancelled' ? Date.parse('2026-11-21') : null,
        status === 'fulfilled' ? status : 'unfulfilled',
      ] as const
      shop.touch(find(externalId), { cancelled, fulfilment })
    },
    reduce: async (_, externalId) => shop.takeAway(find(externalId)),
    discard: async (_, externalId) => void shop.orders.delete(Number(externalId)),
    edits: shop.edits.fields,
    async edit(_, externalId, change) {
      shop.edits.edit(externalId, change)
      shop.touch(find(externalId), {})
    },
    topics: ['ORDERS_CREATE', 'ORDERS_UPDATED', 'ORDERS_CANCELLED', 'ORDERS_DELETE'],
    hidesDiscarded: true,
    seen: async () => ({
      orders: [...shop.orders.values()].map(({ id, currentTotal: total, lines, created }) => ({
        externalId: String(id),
        total,
        phone: '0550123456',
        city: 'Bab Ezzouar',
        lines: lines.filter(({ current }) => current > 0).length,
        pieces: lines.reduce((sum, { current }) => sum + current, 0),
        unitPrice: '2500',
        delivery: '400',
        createdAt: new Date(created).toISOString(),
      })),
      subscriptions: [...shop.hooks.values()].map(({ topic, uri }) => ({ topic, address: uri, isOn: true })),
      // What leaves from two places leaves under one number.
      trackingIds: [...shop.orders.values()].flatMap(({ sent }) => [...new Set(sent.flatMap(({ number }) => number ?? []))]),
      calls: shop.requests,
    }),
    callback: async (desk, externalId) => say(desk, 'orders/updated', shop.told(find(externalId))),
    gone: async (desk, externalId) => say(desk, 'orders/delete', JSON.stringify({ id: Number(externalId) })),
    signed: async (desk, body) => say(desk, 'orders/updated', body),
    secret: 'clientSecret',
    proof: 'x-shopify-hmac-sha256',
    switchOff: async () => shop.hooks.clear(),
    fail: shop.fail,
    calm: shop.calm,
    close: () => shop.stop(),
  }
}
