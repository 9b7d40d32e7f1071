import type { CallbackEvent, Rig } from '../../../plugins/carrier/acceptance.ts'
import type { Carrier, InboundRequest } from '../../../plugins/carrier/contract.ts'
import { startZrExpress, type ZrExpress } from '../../simulators/zrexpress.ts'
import { inbound as inboundFor, simulatedRig } from '../../support/simulated-rig.ts'

export type ZrExpressRig = Rig & { readonly simulator: ZrExpress }

export const inbound = (sent: Pick<InboundRequest, 'headers' | 'body'>) => inboundFor('zrexpress', sent)

export function rig(carrier: Carrier, simulator = startZrExpress({ seed: 7 })): ZrExpressRig {
  const { credentials, books, money, webhooks } = simulator
  return simulatedRig(carrier, simulator, {
    credentials,
    settings: { fromStateCode: '16' },
    badCredentials: { apiKey: 'wrong-key-9876543210' },
    // The adapter has no opinion on sizes, the carrier has: two reasons for one parcel.
    refusable: { dimensions: { lengthCm: 5_000, widthCm: 5_000, heightCm: 10 } },
    reads: '^GET|/search$',
    parcelsOf: (reference) => books.all().flatMap(({ fields, trackingNumber }) => (fields.externalId === reference ? trackingNumber : [])),
    advance: (trackingId, state, { at }) => books.advance(trackingId, state, at),
    raw: { delivered: 'livre', moving: 'vers_wilaya', unknown: 'mange_par_une_chevre' },
    told(event: CallbackEvent) {
      if (!event) return { eventType: 'parcel.state.updated', data: 5 }
      const { trackingId, carrierStatus, at } = event
      return webhooks.event('parcel.state.updated', trackingId, { state: { id: crypto.randomUUID(), name: carrierStatus } }, at)
    },
    signed: (body, id) => webhooks.sign(body, id === undefined ? {} : { id }),
    pay: (trackingId, payoutId) => money.pay(trackingId, payoutId),
  })
}
