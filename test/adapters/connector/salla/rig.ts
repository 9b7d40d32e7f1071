import { type Desk, openDesk, type Rig } from '../../../../plugins/connector/acceptance.ts'
import type { ConnectorAdapter, InboundRequest } from '../../../../plugins/connector/index.ts'
import { totalOf } from './orders.ts'
import { APP, startSalla, TOKEN } from './simulator.ts'

const slugs = { open: 'in_progress', fulfilled: 'delivered', cancelled: 'canceled' } as const

export function rig(platform: ConnectorAdapter): Rig {
  const salla = startSalla()
  const credentials = { ...APP, accessToken: TOKEN }
  const tokenOf = ({ context }: Desk) => String(context.credentials.callbackToken)
  const request = { method: 'POST', url: '/webhook' }
  const say = (desk: Desk, event: object): InboundRequest => ({ ...request, ...salla.sent(event, { token: tokenOf(desk) }) })
  const find = (externalId: string) => {
    const order = salla.orders.get(Number(externalId))
    if (!order) throw new Error(`There is no order ${externalId}.`)
    return order
  }
  return {
    credentials,
    settings: {},
    badCredentials: { accessToken: 'somebody-elses' },
    open: (options) =>
      openDesk(platform, Object.fromEntries(platform.net.map((host) => [host, salla.url])), { credentials, settings: {}, ...options }),
    place: async (_, count) => Array.from({ length: count }, () => String(salla.place().id)),
    become: async (_, externalId, status) => salla.touch(find(externalId), slugs[status]),
    discard: async (_, externalId) => void salla.orders.delete(Number(externalId)),
    unfinished: async () => String(salla.place({ slug: 'payment_pending' }).id),
    edits: salla.edits.fields,
    async edit(_, externalId, change) {
      const { variant, ...rest } = change
      const options = [{ id: 1, name: 'Colour', type: 'radio', value: { id: 3, name: variant } }]
      salla.edits.edit(find(externalId).key, { ...rest, ...(variant !== undefined && { variant: options }) })
      salla.touch(find(externalId), find(externalId).slug)
    },
    pushed: { confirmed: 'in_progress', sent: 'shipped', delivered: 'delivered', returned: null, cancelled: 'canceled' },
    seen: async () => ({
      statuses: Object.fromEntries([...salla.orders.values()].map(({ id, slug }) => [String(id), slug])),
      orders: [...salla.orders.values()].map((order) => ({
        externalId: String(order.id),
        total: totalOf(order),
        phone: '213550123456',
        city: 'Bab Ezzouar',
        lines: 1,
        pieces: 2,
        unitPrice: '2500',
        delivery: '400',
        createdAt: new Date(order.created).toISOString(),
      })),
      subscriptions: [...salla.hooks.values()].map(({ event, url }) => ({ topic: event, address: url, isOn: true })),
      trackingIds: [],
      calls: salla.requests,
    }),
    callback: async (desk, externalId) => say(desk, salla.news(find(externalId), 'order.status.updated')),
    async gone(desk, externalId) {
      const told = say(desk, salla.news(find(externalId), 'order.deleted'))
      salla.orders.delete(Number(externalId))
      return told
    },
    signed: async (desk, body) => ({ ...request, headers: { authorization: tokenOf(desk) }, body }),
    secret: 'callbackToken',
    proof: 'authorization',
    provesCallerAlone: true,
    keepsNoNumber: true,
    switchOff: async () => salla.hooks.clear(),
    fail: salla.fail,
    calm: salla.calm,
    close: () => salla.stop(),
  }
}
