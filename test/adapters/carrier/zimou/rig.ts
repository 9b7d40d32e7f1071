import zimou from '../../../../adapters/carrier/zimou/index.ts'
import { createStorage, type Desk, openDesk, type Rig, type SeenParcel, shipment } from '../../../../plugins/carrier/acceptance.ts'
import type { Carrier } from '../../../../plugins/carrier/contract.ts'
import { dinars, international, simulatedRig, stateCodeOf, textOf } from '../../../support/simulated-rig.ts'
import { meanings } from '../meanings.ts'
import { prices } from './simulator/places.ts'
import { type Package, startZimou, type Zimou } from './simulator.ts'

export type ZimouRig = Rig & { readonly simulator: Zimou }

const seenIn =
  ({ habits }: Zimou) =>
  ({ tracking, fields }: Package): SeenParcel => ({
    trackingId: tracking,
    name: `${fields.client_first_name} ${fields.client_last_name}`,
    phone: international(fields.client_phone),
    phoneAlt: textOf(fields.client_phone2) && international(fields.client_phone2),
    stateCode: stateCodeOf(fields.wilaya),
    cityName: textOf(fields.commune),
    address: textOf(fields.address),
    deliveryType: fields.delivery_type === 'Point relais' ? 'pickup' : 'home',
    pickupId: textOf(fields.office_id),
    cod: dinars(Number(fields.price) + (fields.free_delivery === 'true' ? 0 : 450)),
    declaredValue: null,
    takesBack: textOf(fields.returned_product),
    // Told where somebody said it.
    weightGrams: fields.weight === undefined ? null : Math.round(Number(fields.weight) * (habits.weighsIn === 'g' ? 1 : 1000)),
    dimensionsCm: sizeOf(fields.volumetric),
    contents: textOf(fields.name),
    notes: textOf(fields.observation),
    deliveryFee: dinars(450),
    keptFee: null,
    state: 'confirmed',
  })

function sizeOf(size: unknown): [number, number, number] | null {
  const { length, width, height } = (size ?? {}) as Readonly<Record<string, unknown>>
  return length === undefined ? null : [Number(length), Number(width), Number(height)]
}

/** The dearest partner's of each service, in dinars. */
function pricesTo({ stateCode }: { stateCode: string }) {
  const dearest = (service: string) =>
    Math.max(
      ...prices
        .filter(({ wilaya_id, delivery_type_name }) => wilaya_id === Number(stateCode) && delivery_type_name === service)
        .map(({ price1 }) => Number(price1)),
    )
  return { home: dearest('Express'), pickup: dearest('Point relais') }
}

export function rig(carrier: Carrier, simulator = startZimou({ seed: 7 })): ZimouRig {
  const played = simulatedRig(carrier, simulator, {
    credentials: simulator.credentials,
    badCredentials: { token: 'wrong-token-9876543210' },
    // The adapter has no opinion on the largest amount, the carrier has: a refusal inside a 201.
    refusable: { codAmount: 9_999_999 },
    // Nothing of it is published; others keep to this window, and so many numbers fit into an address.
    limits: { windows: [{ calls: 45, seconds: 60 }], track: 50 },
    steps: { create: '^POST /api/v3/packages' },
    variants: { 'weights in grams': { weightUnit: 'g' } },
    lacks: {
      declaredValue: 'a package has no value but its price',
      times: 'it tells no times',
      history: 'a package shows its last status alone',
    },
    prices: pricesTo,
    meanings: meanings.zimou,
    seen: (reference) => simulator.packages(reference).map(seenIn(simulator)),
    // The carrier tells no times.
    advance: (trackingId, status) => simulator.advance(trackingId, status),
    raw: {
      delivered: '8 LIVRÉ',
      moving: '3 EXPEDIE',
      returning: '16 RETOUR VERS CENTRE',
      returned: '20 RETOURNEE AU VENDEUR (SAC)',
      unknown: '999 MANGÉ PAR UNE CHÈVRE',
    },
  })
  return {
    ...played,
    // How it reads weights is agreed with each account.
    open(options) {
      simulator.habits.weighsIn = options?.settings?.weightUnit === 'g' ? 'g' : 'kg'
      return played.open(options)
    },
  }
}

export const carrier = zimou as Carrier

/** A simulator of its own, and connections to it that know the places already. */
export function connected() {
  const one = rig(carrier)
  const { simulator } = one
  const usual = { ...simulator.habits }
  const notes = createStorage()
  const open = (settings: object = {}) => one.open({ storage: notes, settings: { ...settings } })
  return {
    rig: one,
    simulator,
    notes,
    open,
    sent: async (parcel = shipment(), desk: Desk = open()) => ({ desk, parcel, sent: await carrier.send(desk.context, parcel) }),
    reset() {
      simulator.calm()
      Object.assign(simulator.habits, usual)
    },
    /** What was asked meanwhile. */
    async callsOf(work: () => unknown) {
      const before = simulator.requests.length
      await work()
      return simulator.requests.slice(before).map(({ method, path }) => `${method} ${path.replace('/api/v3/', '')}`)
    },
    /** A connection to a carrier that gives one answer to everything. */
    async answered(body: unknown, work: (desk: Desk) => Promise<void>) {
      const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => Response.json(body, { status: 201 }) })
      const origins = { [carrier.net[0]!]: `http://127.0.0.1:${server.port}` }
      await work(openDesk(carrier, origins, { credentials: one.credentials, storage: notes })).finally(() => server.stop(true))
    },
  }
}
