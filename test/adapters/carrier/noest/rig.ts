import noest from '../../../../adapters/carrier/noest/index.ts'
import type { Rig, SeenParcel } from '../../../../plugins/carrier/acceptance.ts'
import type { Carrier } from '../../../../plugins/carrier/contract.ts'
import { dinars, international, simulatedRig, stateCodeOf, textOf } from '../../../support/simulated-rig.ts'
import { meanings } from '../meanings.ts'
import { desks, fees } from './simulator/places.ts'
import { STORAGE_HOST } from './simulator/storage.ts'
import { type Noest, type NoestOptions, type Order, startNoest } from './simulator.ts'

export { to } from '../../../support/simulated-rig.ts'

const seenIn = ({ tracking, fields, events }: Order): SeenParcel => {
  const desk = fields.stop_desk === 1 ? desks[String(fields.station_code)] : undefined
  return {
    trackingId: tracking,
    name: String(fields.client),
    phone: international(fields.phone),
    phoneAlt: textOf(fields.phone_2) && international(fields.phone_2),
    stateCode: stateCodeOf(fields.wilaya_id),
    cityName: desk?.commune ?? textOf(fields.commune),
    address: textOf(fields.adresse),
    deliveryType: fields.stop_desk === 1 ? 'pickup' : 'home',
    pickupId: desk?.code ?? null,
    cod: dinars(fields.montant),
    declaredValue: null,
    takesBack: fields.type_id === 2 ? textOf(fields.produit_a_recuperer) : null,
    // Whole kilograms.
    weightGrams: Number(fields.poids) * 1000,
    dimensionsCm: null,
    contents: textOf(fields.produit),
    notes: textOf(fields.remarque),
    deliveryFee: null,
    keptFee: null,
    state: events.some(({ key }) => key === 'customer_validation') ? 'confirmed' : 'draft',
  }
}

/** Amounts are texts, in dinars. */
function pricesTo({ stateCode }: { stateCode: string }) {
  const row = fees.tarifs.delivery[String(Number(stateCode))]
  const back = fees.tarifs.return[String(Number(stateCode))]
  return { home: row ? Number(row.tarif) : null, pickup: row ? Number(row.tarif_stopdesk) : null, returnFee: Number(back?.tarif) }
}

export type NoestRig = Rig & { readonly simulator: Noest }

/** Drafts unless said otherwise: the carrier edits and deletes nothing else. `connected` is the other way, and the suite runs with it too. */
export const rig = (carrier: Carrier, simulator = startNoest(), settings: Rig['settings'] = { shipAtOnce: false }): NoestRig =>
  simulatedRig(carrier, simulator, {
    credentials: simulator.credentials,
    settings,
    badCredentials: { apiToken: 'wrong-token-9876543210' },
    origins: { [carrier.net[0]!]: simulator.url, [STORAGE_HOST]: simulator.url },
    // The adapter knows no largest amount, the carrier has one.
    refusable: { codAmount: 900_000 },
    reads: '/get/trackings/info$',
    // No window is published; others keep to this one.
    limits: { windows: [{ calls: 60, seconds: 60 }], sendMany: 100, track: 100 },
    steps: { create: '^POST /api/public/create/', validate: '^POST /api/public/valid/' },
    modes: { shipping: { shipAtOnce: true }, draft: { shipAtOnce: false } },
    lacks: {
      declaredValue: 'an order has no value but its amount',
      dimensionsCm: 'an order has no size',
      deliveryFee: 'an order shows no fee',
    },
    weightStepGrams: 1000,
    prices: pricesTo,
    meanings: meanings.noest,
    seen: (reference) => simulator.orders(reference).map(seenIn),
    advance: simulator.advance,
    raw: {
      delivered: 'livre',
      moving: 'validation_collect_colis',
      returning: 'return_asked_by_hub',
      returned: 'return_validated_by_partener',
      unknown: 'mange_par_une_chevre',
    },
  })

export const carrier = noest as unknown as Carrier

const open: NoestRig[] = []
export const stopAll = () => Promise.all(open.map((one) => one.close?.()))

/** As a person connects it: parcels are validated at once. */
export function connected(options: NoestOptions = {}, settings: Rig['settings'] = {}): NoestRig {
  const one = rig(carrier, startNoest(options), settings)
  open.push(one)
  return one
}

/** The bodies that were posted to a path, oldest first. */
export const posted = ({ requests }: Noest, path: string) =>
  requests.filter((call) => call.path.endsWith(path)).map(({ body }) => JSON.parse(body) as Record<string, unknown>)
export const last = (simulator: Noest, path: string) => posted(simulator, path).at(-1)!
