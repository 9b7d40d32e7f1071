import rows from '../../../adapters/carrier/ecotrack/index.ts'
import type { CallbackEvent, Desk, Rig } from '../../../plugins/carrier/acceptance.ts'
import type { Carrier, CarrierError } from '../../../plugins/carrier/contract.ts'
import { type Ecotrack, NOT_SERVED, startEcotrack } from '../../simulators/ecotrack.ts'
import type { Call } from '../../simulators/simulator.ts'
import { simulatedRig, to } from '../../support/simulated-rig.ts'

export { inbound } from '../../support/simulated-rig.ts'

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

const told = (event: CallbackEvent) =>
  event ? stateEvent(event.trackingId, event.carrierStatus, event.at, event.eventId) : { event: 'order.state.en_hub', tracking: 5 }

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
    parcelsOf: (reference) => simulator.orders(reference).map(({ tracking }) => tracking),
    // Drafts here are validated by hand, before the company moves them.
    advance: (tracking, status, change) => {
      simulator.validate(tracking)
      simulator.advance(tracking, status, change)
    },
    raw: { delivered: 'livre_non_encaisse', moving: 'vers_wilaya', unknown: 'Mangé par une chèvre' },
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
