import { createHmac } from 'node:crypto'
import { type ConnectorAdapter, type InboundRequest, present } from 'serai/connector'
import { type Desk, openDesk, type Rig } from 'serai/connector/acceptance'
import { startSimulator, TOKEN } from './simulator.ts'

const statuses = { open: 'new', fulfilled: 'done', cancelled: 'cancelled' } as const

/** Connects the acceptance suite to the simulator: credentials, orders, and every way in which the platform can fail. */
export function rig(platform: ConnectorAdapter): Rig {
  const other = startSimulator()
  const credentials = { token: TOKEN }
  const origins = Object.fromEntries(platform.net.map((host) => [host, other.url]))
  const signed = async ({ context }: Desk, body: Uint8Array): Promise<InboundRequest> => {
    const signature = createHmac('sha256', String(context.credentials.webhookSecret)).update(body).digest('hex')
    return { method: 'POST', url: '/webhook', headers: { 'x-example-signature': signature }, body }
  }
  const say = (desk: Desk, value: unknown) => signed(desk, new TextEncoder().encode(JSON.stringify(value)))
  return {
    credentials,
    settings: {},
    badCredentials: { token: 'a token of nobody' },
    open: (options) => openDesk(platform, origins, { credentials, ...options }),
    place: async (_, count) => Array.from({ length: count }, other.place),
    become: async (_, externalId, status) => other.touch(externalId, statuses[status]),
    edits: ['quantity', 'name', 'unitPrice', 'sku', 'variant', 'lines', 'total', 'customerName'],
    async edit(_, externalId, { lines, total, customerName, unitPrice, ...line }) {
      const order = other.orders.get(externalId)
      const [first] = (order?.items ?? []) as object[]
      if (first) Object.assign(first, line, unitPrice !== undefined && { price: unitPrice })
      if (order) Object.assign(order, present({ items: lines, total, name: customerName }))
      other.touch(externalId, 'new')
    },
    topics: ['orders'],
    endsAll: true,
    replaces: true,
    async seen() {
      const { hook } = other.state
      return {
        orders: [...other.orders.values()].map(({ id, total, phone, city }) => ({
          externalId: id,
          total: String(total),
          phone: String(phone),
          city: String(city),
          lines: 1,
          pieces: 1,
          unitPrice: '2500',
          delivery: '400',
        })),
        subscriptions: hook ? [{ address: hook.address, topic: 'orders', isOn: hook.isOn }] : [],
        trackingIds: [...other.parcels.values()].map(({ trackingId }) => String(trackingId)),
        calls: other.calls,
      }
    },
    readsNoPush: true,
    callback: (desk, externalId) => say(desk, other.orders.get(externalId)),
    gone: (desk, deleted) => say(desk, { deleted }),
    signed,
    proof: 'x-example-signature',
    async switchOff() {
      if (other.state.hook) other.state.hook.isOn = false
    },
    fail(fault) {
      other.state.fault = fault
    },
    calm() {
      other.state.fault = null
    },
    close: () => other.stop(),
  }
}
