import { createHmac } from 'node:crypto'
import type { CallbackEvent, Fault, Rig } from '../../../plugins/carrier/acceptance.ts'
import type { Carrier, InboundRequest } from '../../../plugins/carrier/contract.ts'
import { type Faults, noFaults, startYalidine, type Yalidine } from '../../simulators/yalidine.ts'
import { openDesk, shipment } from '../../support/carrier-rig.ts'

export const url = '/v1/stores/sto_rig/integrations/yalidine/webhook'

const faults: Readonly<Record<Fault, Partial<Faults>>> = {
  ignored: { ignore: 1 },
  no_answer: { loseAnswer: 1, how: 'hang' },
  lost_answer: { loseAnswer: 1, how: 'close' },
  malformed: { malformed: 1 },
  error_before: { error500: 1 },
  error_after: { error500After: 1 },
  rate_limited: { rateLimit: 1 },
}

const told = (event: CallbackEvent) => {
  if (!event) return { data: { status: 5 } }
  const { trackingId, carrierStatus, at, eventId } = event
  return { data: { tracking: trackingId, status: carrierStatus, reason: '' }, occurredAt: at, eventId }
}

export interface YalidineRig extends Rig {
  readonly simulator: Yalidine
}

export function yalidineRig(carrier: Carrier, simulator = startYalidine({ seed: 7 })): YalidineRig {
  const host = carrier.net[0]!
  const { credentials } = simulator
  const settings = { fromStateCode: '16' }
  const inbound = (headers: Readonly<Record<string, string>>, body: Uint8Array): InboundRequest => ({
    method: 'POST',
    url,
    headers,
    body,
  })
  const provoke = (fault: Fault) => (parcel: ReturnType<typeof shipment>) => {
    Object.assign(simulator.faults, noFaults, faults[fault])
    return parcel
  }
  return {
    simulator,
    credentials,
    settings,
    badCredentials: { apiToken: 'wrong-token-9876543210' },
    open: (options) => openDesk(carrier, { [host]: simulator.url }, { credentials, settings, ...options }),
    shipment,
    // The adapter has no opinion on sizes, the carrier has: a refusal inside a 200.
    refusable: () => shipment({ dimensions: { lengthCm: 5_000, widthCm: 10, heightCm: 10 } }),
    faults: Object.fromEntries(Object.keys(faults).map((fault) => [fault, provoke(fault as Fault)])),
    garbleReads: () => void Object.assign(simulator.faults, { on: '^GET', malformed: 1 }),
    calm: () => void Object.assign(simulator.faults, noFaults),
    parcelsOf: async (_, reference) => simulator.parcels(reference).map(({ tracking }) => tracking),
    advance: async (_, trackingId, status, at) => void simulator.advance(trackingId, status, at === undefined ? {} : { at }),
    raw: { delivered: 'Livré', moving: 'Expédié', unknown: 'Mangé par une chèvre' },
    async callback(events) {
      const { headers, body } = simulator.callback('parcel_status_updated', events.map(told))
      return inbound(headers, body)
    },
    async signed(body) {
      const signature = createHmac('sha256', credentials.webhookSecret).update(body).digest('hex')
      return inbound({ 'content-type': 'application/json', 'x-yalidine-signature': signature }, body)
    },
    challenge: (token) => ({
      method: 'GET',
      url: `${url}?subscribe&crc_token=${token}`,
      headers: {},
      body: new Uint8Array(),
    }),
    pay: async (_, trackingId, payoutId) => void simulator.pay(trackingId, 'payed', payoutId),
  }
}
