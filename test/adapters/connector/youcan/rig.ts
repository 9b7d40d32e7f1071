import { createHmac } from 'node:crypto'
import { type Desk, openDesk, type Rig } from '../../../../plugins/connector/acceptance.ts'
import type { ConnectorAdapter, InboundRequest } from '../../../../plugins/connector/index.ts'
import { APP, startYouCan, TOKEN } from './simulator.ts'

const statuses = { open: 'open', fulfilled: 'fulfilled', cancelled: 'canceled' } as const

export function rig(platform: ConnectorAdapter): Rig {
  const youcan = startYouCan()
  const credentials = { ...APP, accessToken: TOKEN }
  const secretOf = ({ context }: Desk) => String(context.credentials.clientSecret)
  const say = (desk: Desk, value: unknown): InboundRequest => ({
    method: 'POST',
    url: '/webhook',
    ...youcan.signed(secretOf(desk), value),
  })
  const find = (externalId: string) => {
    const order = youcan.orders.get(externalId)
    if (!order) throw new Error(`There is no order ${externalId}.`)
    return order
  }
  return {
    credentials,
    settings: {},
    badCredentials: { accessToken: 'somebody-elses' },
    open: (options) => openDesk(platform, { 'api.youcan.shop': youcan.url }, { credentials, settings: {}, ...options }),
    place: async (_, count) => Array.from({ length: count }, () => youcan.place().id),
    become: async (_, externalId, status) => youcan.touch(find(externalId), statuses[status]),
    discard: async (_, externalId) => void youcan.orders.delete(externalId),
    edits: youcan.edits.fields,
    async edit(_, externalId, change) {
      const { variant, ...rest } = change
      youcan.edits.edit(externalId, { ...rest, ...(variant !== undefined && { variant: [variant] }) })
      const order = find(externalId)
      youcan.touch(order, order.status)
    },
    topics: ['order.create'],
    seen: async () => ({
      orders: [...youcan.orders.values()].map(({ id, total, created }) => ({
        externalId: id,
        total: String(total),
        phone: '0550123456',
        city: 'Bab Ezzouar',
        lines: 1,
        pieces: 2,
        unitPrice: '2500',
        delivery: '400',
        createdAt: new Date(created).toISOString(),
      })),
      subscriptions: [...youcan.hooks.values()].map(({ event, target_url }) => ({ topic: event, address: target_url, isOn: true })),
      trackingIds: [],
      calls: youcan.requests,
    }),
    callback: async (desk, externalId) => say(desk, youcan.shown(find(externalId))),
    async gone(desk, externalId) {
      const told = say(desk, youcan.shown(find(externalId)))
      youcan.orders.delete(externalId)
      return told
    },
    signed: async (desk, body) => ({
      method: 'POST',
      url: '/webhook',
      headers: { 'x-youcan-signature': createHmac('sha256', secretOf(desk)).update(body).digest('hex') },
      body,
    }),
    secret: 'clientSecret',
    proof: 'x-youcan-signature',
    switchOff: async () => youcan.hooks.clear(),
    fail: youcan.fail,
    calm: youcan.calm,
    close: () => youcan.stop(),
  }
}
