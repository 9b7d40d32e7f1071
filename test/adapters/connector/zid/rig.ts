import { type Desk, openDesk, type Rig } from '../../../../plugins/connector/acceptance.ts'
import type { ConnectorAdapter, InboundRequest } from '../../../../plugins/connector/index.ts'
import { APP, startZid, TOKENS } from './simulator.ts'

const codes = { open: 'preparing', fulfilled: 'delivered', cancelled: 'canceled' } as const

export function rig(platform: ConnectorAdapter): Rig {
  const zid = startZid()
  const credentials = { ...APP, ...TOKENS }
  const passwordOf = ({ context }: Desk) => String(context.credentials.webhookSecret)
  const request = { method: 'POST', url: '/webhook' }
  const find = (externalId: string) => {
    const order = zid.orders.get(Number(externalId))
    if (!order) throw new Error(`There is no order ${externalId}.`)
    return order
  }
  const say = (desk: Desk, externalId: string): InboundRequest => ({ ...request, ...zid.sent(find(externalId), passwordOf(desk)) })
  return {
    credentials,
    settings: {},
    badCredentials: { accessToken: 'somebody-elses' },
    open: (options) =>
      openDesk(platform, Object.fromEntries(platform.net.map((host) => [host, zid.url])), { credentials, settings: {}, ...options }),
    place: async (_, count) => Array.from({ length: count }, () => String(zid.place().id)),
    become: async (_, externalId, status) => zid.touch(find(externalId), codes[status]),
    edits: zid.edits.fields,
    async edit(_, externalId, change) {
      zid.edits.edit(externalId, change)
      const order = find(externalId)
      zid.touch(order, order.status)
    },
    pushed: { confirmed: 'preparing', sent: 'indelivery', delivered: 'delivered', returned: null, cancelled: 'cancelled' },
    topics: ['order.create', 'order.status.update', 'order.payment_status.update'],
    endsAll: true,
    seen: async () => ({
      statuses: Object.fromEntries([...zid.orders.values()].map(({ id, status }) => [String(id), status])),
      orders: [...zid.orders.values()].map(({ id, total, created }) => ({
        externalId: String(id),
        total: Number(total).toFixed(2),
        phone: '213550123456',
        city: 'Bab Ezzouar',
        lines: 1,
        pieces: 2,
        unitPrice: '2500',
        delivery: '400',
        createdAt: new Date(created).toISOString(),
      })),
      subscriptions: [...zid.hooks.values()].map(({ event, target_url, active }) => ({ topic: event, address: target_url, isOn: active })),
      trackingIds: [...zid.orders.values()].flatMap(({ tracking }) => tracking ?? []),
      calls: zid.requests,
    }),
    callback: async (desk, externalId) => say(desk, externalId),
    async gone(desk, externalId) {
      const told = say(desk, externalId)
      zid.orders.delete(Number(externalId))
      return told
    },
    signed: async (desk, body) => ({ ...request, headers: { authorization: `Basic ${btoa(`serai:${passwordOf(desk)}`)}` }, body }),
    proof: 'authorization',
    provesCallerAlone: true,
    async switchOff() {
      for (const hook of zid.hooks.values()) hook.active = false
    },
    fail: zid.fail,
    calm: zid.calm,
    close: () => zid.stop(),
  }
}
