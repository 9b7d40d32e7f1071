import type { Carrier } from 'serai/carrier'
import { openDesk, type Rig, type SeenParcel, shipment } from 'serai/carrier/acceptance'
import { type Parcel, startSimulator, type Trouble, token } from './simulator.ts'

const webhookSecret = 'example-webhook-secret'
const troubles: readonly Trouble[] = [
  'ignored',
  'no_answer',
  'lost_answer',
  'malformed',
  'mumbled',
  'error_before',
  'error_after',
  'rate_limited',
]

/** Reads a parcel from the simulator's own data in the contract's words, never from what the adapter says. */
const seenIn = ({ tracking, name, phone, state, city, address, cash, contents, notes }: Parcel): SeenParcel => ({
  trackingId: tracking,
  name,
  phone,
  phoneAlt: null,
  stateCode: state,
  cityName: city,
  address,
  deliveryType: 'home',
  pickupId: null,
  cod: { amount: cash, unit: 'major' },
  declaredValue: null,
  takesBack: null,
  weightGrams: null,
  dimensionsCm: null,
  contents,
  notes,
  deliveryFee: null,
  keptFee: null,
  state: 'confirmed',
})

/** Connects the acceptance suite to the simulator: credentials, parcels, and every way in which the carrier can fail. */
export function rig(carrier: Carrier): Rig {
  const simulator = startSimulator()
  const credentials = { token, webhookSecret }
  const origins = { [carrier.net[0]!]: simulator.url }
  const signed = async (body: Uint8Array) => {
    const signature = new Bun.CryptoHasher('sha256', webhookSecret).update(body).digest('hex')
    const headers = { 'content-type': 'application/json', 'x-signature': signature }
    return { method: 'POST', url: '/webhook', headers, body }
  }
  const provoke = (trouble: Trouble) => (parcel: ReturnType<typeof shipment>) => {
    simulator.state.trouble = trouble
    return parcel
  }
  return {
    origins,
    credentials,
    settings: {},
    badCredentials: { token: 'a-wrong-token-9876543210' },
    open: (options) => openDesk(carrier, origins, { credentials, ...options }),
    shipment,
    refusable: () => shipment({ destination: { ...shipment().destination, cityName: 'Nowhere' } }),
    faults: Object.fromEntries(troubles.map((trouble) => [trouble, provoke(trouble)])),
    // Calls of a submission that change something; here one call creates the parcel.
    steps: { create: '^POST /v1/parcels$' },
    // The carrier's published quota, and the most tracking numbers in one call.
    limits: { windows: [{ calls: 60, seconds: 60 }], track: 50 },
    // Fields that its API has no place for, each with the reason. All others are compared with the request.
    lacks: {
      phoneAlt: 'a parcel has one telephone number',
      declaredValue: 'a parcel has no value but its cash',
      weightGrams: 'a parcel has no weight',
      dimensionsCm: 'a parcel has no size',
      history: 'a parcel shows its last status alone',
      deliveryFee: 'a parcel shows no fee',
    },
    seen: async (reference) => ({
      parcels: [...simulator.parcels.values()].filter((one) => one.reference === reference).map(seenIn),
      calls: [...simulator.calls],
    }),
    garbleReads: (garbled) => void Object.assign(simulator.state, { garbled }),
    calm: () => void Object.assign(simulator.state, { trouble: undefined, garbled: undefined }),
    parcelsOf: async (_, reference) =>
      [...simulator.parcels.values()].filter((one) => one.reference === reference).map((one) => one.tracking),
    async advance(_, tracking, status, at = new Date().toISOString()) {
      Object.assign(simulator.parcels.get(tracking)!, { status, at })
    },
    raw: { delivered: 'delivered', moving: 'in transit', returning: 'coming back', returned: 'returned', unknown: 'eaten by a goat' },
    callback: (events) =>
      signed(
        new TextEncoder().encode(
          JSON.stringify({
            events: events.map((one) => one && { tracking: one.trackingId, status: one.carrierStatus, at: one.at, id: one.eventId }),
          }),
        ),
      ),
    signed,
    close: simulator.stop,
  }
}
