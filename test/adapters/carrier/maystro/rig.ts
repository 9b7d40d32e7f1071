import maystro from '../../../../adapters/carrier/maystro/index.ts'
import { algeria } from '../../../../core/platform/geo/countries/dz/catalogue.ts'
import type { CallbackEvent, Rig, SeenParcel } from '../../../../plugins/carrier/acceptance.ts'
import type { Carrier, InboundRequest } from '../../../../plugins/carrier/contract.ts'
import { dinars, inbound as inboundFor, international, simulatedRig, textOf } from '../../../support/simulated-rig.ts'
import { meanings } from '../meanings.ts'
import { communes, priceTo, wilayas } from './simulator/places.ts'
import { type Maystro, type MaystroOptions, type Order, startMaystro } from './simulator.ts'

export { to } from '../../../support/simulated-rig.ts'

export const callbackToken = 'callback-token-of-the-rig-0123456789'
const query = `?token=${callbackToken}`
const unsigned = (body: Uint8Array) => ({ headers: { 'content-type': 'application/json' }, body })

export const inbound = (words: string): InboundRequest => inboundFor('maystro', unsigned(new TextEncoder().encode(words)), query)

/** Its numbers of places are its own; our code stands in the name alone. */
const codeOf = (wilaya: unknown) => algeria.states.find(({ name }) => name === wilayas.find(({ id }) => id === wilaya)?.name)?.code ?? ''

const seenIn =
  ([home]: readonly [number, number]) =>
  ({ id, fields, history }: Order): SeenParcel => ({
    trackingId: id,
    name: String(fields.customer_name),
    phone: international(fields.customer_phone),
    phoneAlt: null,
    stateCode: codeOf(fields.wilaya),
    cityName: communes.find((commune) => commune.id === fields.commune)?.name ?? null,
    address: textOf(fields.destination_text),
    deliveryType: fields.delivery_type === home ? 'home' : 'pickup',
    pickupId: textOf(fields.stop_desk_id),
    cod: dinars(fields.product_price),
    declaredValue: null,
    takesBack: null,
    weightGrams: null,
    dimensionsCm: null,
    contents: textOf((fields.products as { logistical_description?: string }[] | undefined)?.[0]?.logistical_description),
    notes: textOf(fields.note_to_driver),
    deliveryFee: null,
    keptFee: null,
    state: history.at(-1)?.status === 50 ? 'cancelled' : 'confirmed',
  })

function pricesTo({ stateCode, cityName }: { stateCode: string; cityName: string }) {
  const commune = communes.find(({ name, wilaya }) => name === cityName && codeOf(wilaya) === stateCode)
  const price = (stopDesk: boolean) => (commune && priceTo(commune.id, { express: false, stopDesk })) ?? null
  return { home: price(false), pickup: price(true) }
}

export type MaystroRig = Rig & { readonly simulator: Maystro }

export const rig = (
  carrier: Carrier,
  simulator = startMaystro(),
  settings: Rig['settings'] = {},
  types: readonly [number, number] = [1, 2],
): MaystroRig =>
  simulatedRig(carrier, simulator, {
    credentials: { ...simulator.credentials, callbackToken },
    settings,
    badCredentials: { apiToken: 'wrong-token-9876543210' },
    // The adapter knows no largest amount, the carrier has one.
    refusable: { codAmount: 900_000 },
    // No window is published; others keep to this one. Each parcel that is tracked costs two calls.
    limits: { windows: [{ calls: 45, seconds: 60 }], track: 22 },
    steps: { create: '^POST /api/stores/orders/' },
    lacks: {
      phoneAlt: 'it takes one telephone number',
      declaredValue: 'an order has no value but its price',
      weightGrams: 'an order has no weight',
      dimensionsCm: 'an order has no size',
      deliveryFee: 'an order shows no fee',
    },
    setUpGives: ['callbackToken'],
    prices: pricesTo,
    meanings: meanings.maystro,
    seen: (reference) => simulator.orders(reference).map(seenIn(types)),
    advance: simulator.advance,
    raw: { delivered: '41', moving: '31', returning: '51', returned: '52', unknown: '99' },
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
  const one = rig(carrier, startMaystro(options), settings, options.types)
  open.push(one)
  return one
}
