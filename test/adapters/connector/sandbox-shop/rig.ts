import { remember } from '../../../../adapters/connector/sandbox-shop/store.ts'
import { type Desk, openDesk, type Rig } from '../../../../plugins/connector/acceptance.ts'
import type { ConnectorAdapter, ExternalOrder, InboundRequest } from '../../../../plugins/connector/index.ts'
import { hmacSha256, toHex } from '../../../../plugins/toolkit/proof.ts'
import { present } from '../../../../plugins/toolkit/values.ts'

type Own = Parameters<typeof remember>[0]

/** The sandbox is its own other side: its books are the connection's notes. */
export function rig(platform: ConnectorAdapter): Rig {
  const settings = { orders: 0, shop: 'shop.example' }
  const credentials = { webhookSecret: 'a secret of callbacks' }
  let placed = 0
  const notes = async ({ context }: Desk, prefix: string) => (await context.storage.list(prefix)).map(({ value }) => value)
  const orders = async (desk: Desk) => (await notes(desk, 'order:')) as ExternalOrder[]
  const find = async (desk: Desk, id: string) => (await orders(desk)).find(({ externalId }) => externalId === id)
  const signed = async ({ context }: Desk, body: Uint8Array): Promise<InboundRequest> => ({
    method: 'POST',
    url: '/webhook',
    headers: {
      'content-type': 'application/json',
      'x-sandbox-signature': toHex(await hmacSha256(String(context.credentials.webhookSecret), body)),
    },
    body,
  })
  const say = (desk: Desk, value: unknown) => signed(desk, new TextEncoder().encode(JSON.stringify(value)))
  const keep = ({ context }: Desk, order: ExternalOrder) => remember(context as unknown as Own, order)
  return {
    credentials,
    settings,
    open: (options) => openDesk(platform, {}, { credentials, settings, ...options }),
    readsNoPush: true,
    async place(desk, count) {
      const ids = Array.from({ length: count }, () => `o-${String(++placed).padStart(4, '0')}`)
      for (const externalId of ids)
        await keep(desk, {
          externalId,
          number: `#${externalId}`,
          status: 'open',
          currency: 'DZD',
          customer: { name: 'Lina', phone: '0550123456' },
          address: { country: 'DZ', state: '16', city: 'Bab Ezzouar', address: '' },
          items: [{ sku: 'B', name: 'Basket', quantity: 1, unitPrice: '2500' }],
          total: '2900',
          delivery: '400',
          updatedAt: '2026-11-20T10:00:00.000Z',
        })
      return ids
    },
    async become(desk, externalId, status) {
      const order = await find(desk, externalId)
      if (order) await keep(desk, { ...order, status, updatedAt: new Date(Date.parse(order.updatedAt) + 60_000).toISOString() })
    },
    edits: ['quantity', 'name', 'unitPrice', 'sku', 'variant', 'lines', 'total', 'currency', 'phoneAlt', 'email', 'note', 'customerName'],
    async edit(desk, externalId, { lines, total, currency, note, customerName: name, phoneAlt, email, ...line }) {
      const order = await find(desk, externalId)
      if (!order) return
      const items = lines ?? order.items.map((item, at) => (at === 0 ? { ...item, ...line } : item))
      const customer = { ...order.customer, ...present({ name, phoneAlt, email }) }
      const updatedAt = new Date(Date.parse(order.updatedAt) + 60_000).toISOString()
      const change = { ...order, ...present({ total, currency, note }), items, customer, updatedAt }
      await desk.context.storage.set(`order:${externalId}`, change)
    },
    topics: ['orders'],
    endsAll: true,
    replaces: true,
    async seen(desk) {
      const subscription = (await desk.context.storage.get('subscription')) as { address: string; isOn: boolean } | undefined
      return {
        orders: (await orders(desk)).map(({ externalId, total, delivery, customer, address, items }) => ({
          externalId,
          total,
          phone: customer.phone ?? '',
          city: address.city,
          lines: items.length,
          pieces: items.reduce((sum, item) => sum + (item?.quantity ?? 0), 0),
          unitPrice: items[0]?.unitPrice ?? '',
          delivery,
        })),
        subscriptions: subscription ? [{ ...subscription, topic: 'orders' }] : [],
        trackingIds: ((await notes(desk, 'pushed:')) as { trackingId: string }[]).map(({ trackingId }) => trackingId),
        calls: [],
      }
    },
    callback: async (desk, externalId) => say(desk, { order: await find(desk, externalId) }),
    gone: (desk, gone) => say(desk, { gone }),
    signed,
    proof: 'x-sandbox-signature',
    switchOff: async ({ context }) => {
      const known = (await context.storage.get('subscription')) as object
      await context.storage.set('subscription', { ...known, isOn: false })
    },
    calm: () => {},
  }
}
