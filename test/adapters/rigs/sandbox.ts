import { createHmac } from 'node:crypto'
import type { CallbackEvent, Rig } from '../../../plugins/carrier/acceptance.ts'
import { openDesk, shipment } from '../../../plugins/carrier/acceptance.ts'
import type { Carrier, InboundRequest } from '../../../plugins/carrier/contract.ts'

const webhookSecret = 'sandbox-secret-0123456789'
const url = '/v1/stores/sto_rig/integrations/sandbox/webhook'

export function sign(body: Uint8Array, secret = webhookSecret): InboundRequest {
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', 'x-sandbox-signature': `sha256=${signature}` },
    body,
  }
}

export const callbackOf = (value: unknown, secret?: string) => sign(new TextEncoder().encode(JSON.stringify(value)), secret)

const told = (event: CallbackEvent) =>
  event && { tracking: event.trackingId, status: event.carrierStatus, at: event.at, eventId: event.eventId }

/** The sandbox is its own other side: the callback moves its parcels, the recipient's name makes its faults. */
export function rig(carrier: Carrier): Rig {
  const tell = async (desk: Parameters<Rig['advance']>[0], event: object) => {
    await carrier.webhook!.parse(callbackOf({ at: new Date().toISOString(), ...event }), desk.context)
  }
  return {
    credentials: { webhookSecret },
    settings: {},
    open: (options) => openDesk(carrier, {}, { credentials: { webhookSecret }, ...options }),
    shipment,
    refusable: () => shipment({ recipient: { name: 'FAIL Karim', phone: '+213550000000' } }),
    faults: { no_answer: (parcel) => ({ ...parcel, recipient: { ...parcel.recipient, name: 'TIMEOUT Karim' } }) },
    calm: () => {},
    async parcelsOf({ context }, reference) {
      const { rows } = await carrier.list!(context, { limit: 1000 })
      return rows.filter((row) => row.reference === reference).map(({ trackingId }) => trackingId)
    },
    advance: (desk, tracking, status, at) => tell(desk, { tracking, status, ...(at !== undefined && { at }) }),
    raw: { delivered: 'delivered', moving: 'in transit', unknown: 'eaten by a goat' },
    callback: async (events) => callbackOf({ events: events.map(told) }),
    signed: async (body) => sign(body),
    pay: (desk, tracking, payout) => tell(desk, { tracking, payout }),
  }
}
