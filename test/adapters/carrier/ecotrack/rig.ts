import rows from '../../../../adapters/carrier/ecotrack/index.ts'
import type { CallbackEvent, Desk, Rig, SeenParcel } from '../../../../plugins/carrier/acceptance.ts'
import type { Carrier, CarrierError } from '../../../../plugins/carrier/contract.ts'
import { dinars, international, simulatedRig, stateCodeOf, textOf, to } from '../../../support/simulated-rig.ts'
import type { Call } from '../../../support/simulator/simulator.ts'
import { meanings } from '../meanings.ts'
import { isDraft, localTime } from './simulator/books.ts'
import { deliveryFee, fees, products } from './simulator/places.ts'
import { type Ecotrack, NOT_SERVED, type Order, startEcotrack } from './simulator.ts'

export { inbound } from '../../../support/simulated-rig.ts'

/** As the platform tells of a new state. */
export const stateEvent = (tracking: string, code: string, at: string, id: string) => ({
  event: `order.state.${code}`,
  event_id: id,
  occurred_at: at,
  tracking,
  state: { id: 1, code, title: code },
  previous_state: { id: 0, code: 'pret_a_expedier', title: 'Prêt à expédier' },
  order: { amount: '3200', tentatives_count: 0 },
  maj: null,
})

/** The form of its times is not published; elsewhere it writes them without a zone. */
const told = (event: CallbackEvent) =>
  event
    ? stateEvent(event.trackingId, event.carrierStatus, localTime(Date.parse(event.at)), event.eventId)
    : { event: 'order.state.en_hub', tracking: 5 }

function seenIn(order: Order): SeenParcel {
  const { fields } = order
  const isDesk = String(fields.stop_desk) === '1'
  return {
    trackingId: order.tracking,
    name: String(fields.nom_client),
    phone: international(fields.telephone),
    phoneAlt: textOf(fields.telephone_2) && international(fields.telephone_2),
    stateCode: stateCodeOf(fields.code_wilaya),
    cityName: textOf(fields.commune),
    address: textOf(fields.adresse),
    deliveryType: isDesk ? 'pickup' : 'home',
    // Of a desk the postal code names its station.
    pickupId: isDesk ? textOf(fields.code_postal) : null,
    cod: dinars(fields.montant),
    declaredValue: null,
    takesBack: Number(fields.type) === 2 ? textOf(fields.produit_a_recuperer) : null,
    weightGrams: fields.weight === undefined ? null : Number(fields.weight) * 1000,
    dimensionsCm: null,
    contents: textOf(fields.produit),
    notes: textOf(fields.remarque),
    marks: { fragile: Number(fields.fragile ?? 0) === 1 },
    deliveryFee: dinars(deliveryFee(Number(fields.code_wilaya), { isDesk })),
    keptFee: dinars(deliveryFee(Number(fields.code_wilaya), { isDesk })),
    state: isDraft(order) ? 'draft' : 'confirmed',
  }
}

/** Amounts are texts, in dinars. */
function pricesTo({ stateCode }: { stateCode: string }) {
  const row = fees.livraison.find(({ wilaya_id }) => wilaya_id === Number(stateCode))
  return { home: row ? Number(row.tarif) : null, pickup: row?.tarif_stopdesk == null ? null : Number(row.tarif_stopdesk), returnFee: 200 }
}

/** A company's row. */
export const company = (slug: string) => rows.find((row) => row.slug === slug) as Carrier

/** The error of what must fail. */
export async function failure(attempt: unknown): Promise<CarrierError> {
  const error = await Promise.resolve(attempt).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!error) throw new Error('It succeeded.')
  return error as CarrierError
}

export interface EcotrackRig extends Rig {
  readonly simulator: Ecotrack
  readonly host: string
  /** A connection with other settings. */
  set(change: object): Desk
  /** What was asked below `/api/v1/`, and the fields of the latest of it. */
  calls(path: string): readonly Call[]
  fields(path: string): Record<string, unknown>
}

const charges = [150, 200, ...fees.échange.flatMap(({ tarif, tarif_stopdesk }) => [tarif, tarif_stopdesk ?? tarif]).map(Number)]

/** The orders are drafts unless said otherwise: what is validated takes no edit and no cancellation any more. */
export function rig(carrier: Carrier, change: { validate?: boolean } = {}, simulator = startEcotrack({ seed: 7 })): EcotrackRig {
  const host = typeof carrier.settings.host?.default === 'string' ? carrier.settings.host.default : 'any-company.ecotrack.dz'
  const settings = { host, validate: false, ...change }
  const calls = (path: string) => simulator.requests.filter((call) => call.path === `/api/v1/${path}`)
  const played = simulatedRig(carrier, simulator, {
    credentials: simulator.credentials,
    settings,
    badCredentials: { token: 'wrong-token-9876543210' },
    origins: { [host]: simulator.url },
    // Listed, and refused all the same: inside a 200.
    refusable: { destination: to({ stateCode: String(NOT_SERVED), stateName: 'In Guezzam', cityName: 'Ain Guezzam' }).destination },
    limits: { windows: [{ calls: 50, seconds: 60 }], sendMany: 100, track: 100 },
    steps: { create: '^POST /api/v1/create/', validate: '^POST /api/v1/valid/' },
    modes: { shipping: { validate: true }, draft: { validate: false } },
    variants: { 'with the weight': { sendWeight: true }, fragile: { fragile: true } },
    marks: { usual: { fragile: false }, fragile: { fragile: true } },
    // Documented so: these two want it there.
    secretsInQuery: '^GET /api/v1/(validate/token|get/orders/status)$',
    lacks: {
      declaredValue: 'an order has no value but its amount',
      dimensionsCm: 'an order has no size',
      weightGrams: 'its unit is not published, so it is sent on demand only',
    },
    weightStepGrams: 1000,
    prices: pricesTo,
    stock: products.map(({ reference: sku, stock_disponible: free }) => ({ sku, quantity: Number(free) })),
    charges,
    meanings: meanings.ecotrack,
    seen: (reference) => simulator.orders(reference).map(seenIn),
    // Drafts here are validated by hand, before the company moves them.
    advance: (tracking, status, change) => {
      simulator.validate(tracking)
      simulator.advance(tracking, status, change)
    },
    raw: {
      delivered: 'livre_non_encaisse',
      moving: 'vers_wilaya',
      returning: 'retour_en_traitement',
      returned: 'retour_recu',
      unknown: 'Mangé par une chèvre',
    },
    told,
    signed: (body) => simulator.sign(body),
    pay: (tracking, payoutId) => {
      simulator.validate(tracking)
      simulator.pay(tracking, payoutId)
    },
  })
  return {
    ...played,
    host,
    set: (other) => played.open({ settings: { ...settings, ...other } }),
    calls,
    fields: (path) => JSON.parse(calls(path).at(-1)!.body) as Record<string, unknown>,
  }
}
