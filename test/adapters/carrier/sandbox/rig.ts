import { createHmac } from 'node:crypto'
import type { Kept } from '../../../../adapters/carrier/sandbox/store.ts'
import { eventsIn } from '../../../../plugins/acceptance/webhooks.ts'
import type { CallbackEvent, Desk, Rig, SeenParcel } from '../../../../plugins/carrier/acceptance.ts'
import { openDesk, shipment } from '../../../../plugins/carrier/acceptance.ts'
import type { Carrier, InboundRequest } from '../../../../plugins/carrier/contract.ts'
import { meanings } from '../meanings.ts'

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

const dinars = (amount: number) => ({ amount, unit: 'major' }) as const
const states: Readonly<Record<string, SeenParcel['state']>> = { draft: 'draft', cancelled: 'cancelled' }

function seenIn({ tracking, shipment, fee, history }: Kept): SeenParcel {
  const { recipient, destination, codAmount, declaredValue, weightKg, dimensions, takesBack, contents, notes } = shipment
  return {
    trackingId: tracking,
    name: recipient.name,
    phone: recipient.phone,
    phoneAlt: recipient.phoneAlt ?? null,
    stateCode: destination.stateCode,
    cityName: destination.cityName,
    address: destination.address,
    deliveryType: destination.deliveryType === 'pickup' ? 'pickup' : 'home',
    pickupId: destination.pickupId ?? null,
    cod: dinars(codAmount),
    declaredValue: dinars(declaredValue),
    weightGrams: weightKg === 0 ? null : Math.round(weightKg * 1000),
    dimensionsCm: dimensions ? [dimensions.lengthCm, dimensions.widthCm, dimensions.heightCm] : null,
    contents,
    notes,
    takesBack: takesBack ?? null,
    deliveryFee: dinars(fee),
    keptFee: dinars(fee),
    state: states[history.at(-1)!.status] ?? 'confirmed',
  }
}

/** Its made-up prices by wilaya. */
const prices: Readonly<Record<string, { home: number; pickup: number }>> = {
  '16': { home: 300, pickup: 200 },
  '31': { home: 600, pickup: 400 },
}

/** The sandbox is its own other side: the callback moves its parcels, the recipient's name makes its faults. */
export function rig(carrier: Carrier): Rig {
  const tell = async (desk: Parameters<Rig['advance']>[0], event: object) => {
    await eventsIn(carrier, callbackOf({ at: new Date().toISOString(), ...event }), desk.context)
  }
  const desks: Desk[] = []
  const parcels = async () => {
    const notes = await Promise.all([...new Set(desks.map(({ context }) => context.storage))].map((storage) => storage.list('parcel:')))
    return notes.flat().map(({ value }) => value as Kept)
  }
  return {
    credentials: { webhookSecret },
    settings: {},
    open(options) {
      const desk = openDesk(carrier, {}, { credentials: { webhookSecret }, ...options })
      desks.push(desk)
      return desk
    },
    // Its books are the connection's own notes, and nothing goes over a wire.
    seen: async (reference) => ({
      parcels: (await parcels()).filter(({ shipment }) => shipment.reference === reference).map(seenIn),
      calls: [],
    }),
    limits: { windows: [], track: 100, sendMany: 100 },
    steps: null,
    modes: { shipping: { drafts: false }, draft: { drafts: true } },
    prices: ({ stateCode }) => ({ ...(prices[stateCode] ?? { home: null, pickup: null }), returnFee: 200 }),
    charges: [1, 1.5, 50],
    stock: [
      { sku: 'BOX-S', quantity: 120 },
      { sku: 'BOX-L', quantity: 40 },
    ],
    setUpGives: ['webhookSecret'],
    meanings: meanings.sandbox,
    shipment,
    refusable: () => shipment({ recipient: { name: 'FAIL Karim', phone: '+213550000000' } }),
    faults: { no_answer: (parcel) => ({ ...parcel, recipient: { ...parcel.recipient, name: 'TIMEOUT Karim' } }) },
    calm: () => {},
    async parcelsOf({ context }, reference) {
      const { rows } = await carrier.list!(context, { limit: 1000 })
      return rows.filter((row) => row.reference === reference).map(({ trackingId }) => trackingId)
    },
    advance: (desk, tracking, status, at) => tell(desk, { tracking, status, ...(at !== undefined && { at }) }),
    raw: { delivered: 'delivered', moving: 'in transit', returning: 'returning', returned: 'returned', unknown: 'eaten by a goat' },
    callback: async (events) => callbackOf({ events: events.map(told) }),
    signed: async (body) => sign(body),
    pay: (desk, tracking, payout) => tell(desk, { tracking, payout }),
  }
}
