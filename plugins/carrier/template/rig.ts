import type { Carrier } from 'serai/carrier'
import { openDesk, type Rig, shipment } from 'serai/carrier/acceptance'
import { startSimulator, type Trouble, token } from './simulator.ts'

const webhookSecret = 'example-webhook-secret'
const troubles: readonly Trouble[] = ['ignored', 'no_answer', 'lost_answer', 'malformed', 'error_before', 'error_after', 'rate_limited']

/** What the acceptance suite plays against: connections to the simulator, parcels, and every way in which the carrier can fail. */
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
    garbleReads: () => void Object.assign(simulator.state, { garbled: true }),
    calm: () => void Object.assign(simulator.state, { trouble: undefined, garbled: false }),
    parcelsOf: async (_, reference) =>
      [...simulator.parcels.values()].filter((one) => one.reference === reference).map((one) => one.tracking),
    async advance(_, tracking, status, at = new Date().toISOString()) {
      Object.assign(simulator.parcels.get(tracking)!, { status, at })
    },
    raw: { delivered: 'delivered', moving: 'in transit', unknown: 'eaten by a goat' },
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
