import maystro from '../../../adapters/carrier/maystro/index.ts'
import type { CallbackEvent, Rig } from '../../../plugins/carrier/acceptance.ts'
import type { Carrier, InboundRequest } from '../../../plugins/carrier/contract.ts'
import { type Maystro, type MaystroOptions, startMaystro } from '../../simulators/maystro.ts'
import { inbound as inboundFor, simulatedRig } from '../../support/simulated-rig.ts'

export { to } from '../../support/simulated-rig.ts'

export const callbackToken = 'callback-token-of-the-rig-0123456789'
const query = `?token=${callbackToken}`
const unsigned = (body: Uint8Array) => ({ headers: { 'content-type': 'application/json' }, body })

export const inbound = (words: string): InboundRequest => inboundFor('maystro', unsigned(new TextEncoder().encode(words)), query)

export type MaystroRig = Rig & { readonly simulator: Maystro }

export const rig = (carrier: Carrier, simulator = startMaystro(), settings: Rig['settings'] = {}): MaystroRig =>
  simulatedRig(carrier, simulator, {
    credentials: { ...simulator.credentials, callbackToken },
    settings,
    badCredentials: { apiToken: 'wrong-token-9876543210' },
    // The adapter knows no largest amount, the carrier has one.
    refusable: { codAmount: 900_000 },
    parcelsOf: (reference) => simulator.orders(reference).map(({ id }) => id),
    advance: simulator.advance,
    raw: { delivered: '41', moving: '31', unknown: '99' },
    told(event: CallbackEvent) {
      if (!event) return { message: { data: 5 } }
      const { trackingId: id, carrierStatus: status, at, eventId: messageId } = event
      return JSON.parse(simulator.callback({ id, status, at, messageId }))
    },
    signed: unsigned,
    query,
  })

export const carrier = maystro as unknown as Carrier

const open: MaystroRig[] = []
export const stopAll = () => Promise.all(open.map((one) => one.close?.()))

/** A connection to a simulator of its own. */
export function connected(options: MaystroOptions = {}, settings: Rig['settings'] = {}): MaystroRig {
  const one = rig(carrier, startMaystro(options), settings)
  open.push(one)
  return one
}
