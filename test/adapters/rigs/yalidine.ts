import { createHmac } from 'node:crypto'
import type { CallbackEvent, Rig } from '../../../plugins/carrier/acceptance.ts'
import type { Carrier } from '../../../plugins/carrier/contract.ts'
import { startYalidine, type Yalidine } from '../../simulators/yalidine.ts'
import { inbound, simulatedRig } from '../../support/simulated-rig.ts'

export const { url } = inbound('yalidine', { headers: {}, body: new Uint8Array() })

export type YalidineRig = Rig & { readonly simulator: Yalidine }

const told = (event: CallbackEvent) => {
  if (!event) return { data: { status: 5 } }
  const { trackingId, carrierStatus, at, eventId } = event
  return { data: { tracking: trackingId, status: carrierStatus, reason: '' }, occurredAt: at, eventId }
}

export function rig(carrier: Carrier, simulator = startYalidine({ seed: 7 })): YalidineRig {
  const { credentials } = simulator
  return {
    ...simulatedRig(carrier, simulator, {
      credentials,
      settings: { fromStateCode: '16' },
      badCredentials: { apiToken: 'wrong-token-9876543210' },
      // The adapter has no opinion on sizes, the carrier has: a refusal inside a 200.
      refusable: { dimensions: { lengthCm: 5_000, widthCm: 10, heightCm: 10 } },
      parcelsOf: (reference) => simulator.parcels(reference).map(({ tracking }) => tracking),
      advance: simulator.advance,
      raw: { delivered: 'Livré', moving: 'Expédié', unknown: 'Mangé par une chèvre' },
      signed(body) {
        const signature = createHmac('sha256', credentials.webhookSecret).update(body).digest('hex')
        return { headers: { 'content-type': 'application/json', 'x-yalidine-signature': signature }, body }
      },
      pay: (trackingId, payoutId) => simulator.pay(trackingId, 'payed', payoutId),
    }),
    // Several events stand in one envelope.
    callback: async (events) => inbound(carrier.slug, simulator.callback('parcel_status_updated', events.map(told))),
    challenge: (token) => ({ method: 'GET', url: `${url}?subscribe&crc_token=${token}`, headers: {}, body: new Uint8Array() }),
  }
}
