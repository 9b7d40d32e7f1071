import {
  type CallbackEvent,
  type Fault,
  openDesk,
  type Rig,
  type SeenCall,
  type SeenParcel,
  shipment,
} from '../../plugins/carrier/acceptance.ts'
import type { Carrier, InboundRequest, Shipment } from '../../plugins/carrier/contract.ts'
import type { Faults } from './simulator/faults.ts'

/** One request, as any of the simulators keeps it. */
interface Request {
  readonly at: number
  readonly method: string
  /** With its query, where that stands not beside it. */
  readonly path: string
  readonly query?: URLSearchParams
  readonly headers: Headers
  readonly body: string
}

/** What every carrier's simulator has. */
interface Simulated {
  readonly url: string
  readonly requests: readonly Request[]
  readonly faults: Faults
  calm(): void
  stop(): unknown
}

/** What differs from carrier to carrier; the rest of a rig is the same for each that has a simulator. */
export interface Differences extends Pick<Rig, 'credentials' | 'raw' | 'limits'>, Partial<Pick<Rig, (typeof asTheyAre)[number]>> {
  readonly steps: NonNullable<Rig['steps']>
  readonly settings?: Rig['settings']
  readonly badCredentials: Readonly<Record<string, unknown>>
  /** Where declared hosts are answered; all of them by the simulator unless said otherwise. */
  readonly origins?: Readonly<Record<string, string>>
  /** A parcel that the adapter takes and the carrier does not. */
  readonly refusable: Partial<Shipment>
  /** Parcels in the simulator's own books. */
  seen(reference: string): readonly SeenParcel[]
  advance(trackingId: string, carrierStatus: string, change: { at?: string }): unknown
  /** Signed as the carrier signs, where it calls back; for one whose headers name the event, as this one. */
  signed?(body: Uint8Array, eventId?: string): Pick<InboundRequest, 'headers' | 'body'>
  /** News of a parcel as a carrier tells it that sends one event a request. */
  told?(event: CallbackEvent): unknown
  /** What the address of callbacks holds besides (`?token=…`). */
  readonly query?: string
  pay?(trackingId: string, payoutId: string): unknown
}

/** Members of a rig that are given as they stand. */
const asTheyAre = [
  'modes',
  'variants',
  'marks',
  'reads',
  'lacks',
  'weightStepGrams',
  'secretsInQuery',
  'prices',
  'charges',
  'stock',
  'signIn',
  'setUpGives',
  'meanings',
  'challenge',
] as const

const faults: Readonly<Record<Fault, Partial<Faults>>> = {
  ignored: { ignore: 1 },
  no_answer: { loseAnswer: 1, how: 'hang' },
  lost_answer: { loseAnswer: 1, how: 'close' },
  malformed: { malformed: 1 },
  mumbled: { mumbled: 1 },
  error_before: { error500: 1 },
  error_after: { error500After: 1 },
  rate_limited: { rateLimit: 1 },
}

/** A callback as it arrives for a carrier; `query` is what the address holds besides. */
export const inbound = (slug: string, { headers, body }: Pick<InboundRequest, 'headers' | 'body'>, query = ''): InboundRequest => ({
  method: 'POST',
  url: `/v1/stores/sto_rig/integrations/${slug}/webhook${query}`,
  headers,
  body,
})

/** A carrier's other side, played by its simulator. */
export function simulatedRig<S extends Simulated>(
  carrier: Carrier,
  simulator: S,
  differences: Differences,
): Rig & { readonly simulator: S } {
  const { credentials, settings = {}, badCredentials, raw, limits, steps, refusable, reads = '^GET', seen, advance, pay } = differences
  const origins = differences.origins ?? Object.fromEntries(carrier.net.map((host) => [host, simulator.url]))
  const provoke =
    (fault: Fault) =>
    (parcel: Shipment, step = 'create') => {
      simulator.calm()
      Object.assign(simulator.faults, faults[fault], { on: steps[step] })
      return parcel
    }
  const given = asTheyAre.flatMap((name) => (differences[name] === undefined ? [] : [[name, differences[name]] as const]))
  return {
    ...(Object.fromEntries(given) as Partial<Rig>),
    simulator,
    origins,
    credentials,
    settings,
    badCredentials,
    open: (options) => openDesk(carrier, origins, { credentials, settings, ...options }),
    shipment,
    refusable: () => shipment(refusable),
    faults: Object.fromEntries(Object.keys(faults).map((fault) => [fault, provoke(fault as Fault)])),
    garbleReads: (how) => void Object.assign(simulator.faults, { on: reads, ...faults[how] }),
    calm: () => simulator.calm(),
    limits,
    steps,
    seen: async (reference) => ({ parcels: seen(reference), calls: simulator.requests.map(callIn) }),
    parcelsOf: async (_, reference) => seen(reference).map(({ trackingId }) => trackingId),
    advance: async (_, trackingId, status, at) => void (await advance(trackingId, status, at === undefined ? {} : { at })),
    raw,
    ...(pay && { pay: async (_, trackingId, payoutId) => void (await pay(trackingId, payoutId)) }),
    ...callbacksOf(carrier, differences),
    close: () => simulator.stop(),
  }
}

function callIn({ at, method, path, query, headers, body }: Request): SeenCall {
  const [bare = '', written = ''] = path.split('?')
  return { at, method, path: bare, query: query ? String(query) : written, headers: Object.fromEntries(headers), body }
}

/** `0550000000`, as carriers of Algeria keep numbers, as we write them: `+213550000000`. */
export const international = (local: unknown): string => String(local).replace(/^0/, '+213')

/** A state's number as our code of it. */
export const stateCodeOf = (id: unknown): string => String(id).padStart(2, '0')

export const dinars = (amount: unknown) => ({ amount: Number(amount), unit: 'major' }) as const

/** A text, or null where there is none. */
export const textOf = (value: unknown): string | null => (value === undefined || value === null || value === '' ? null : String(value))

function callbacksOf({ slug }: Carrier, { signed, told, query }: Differences): Pick<Rig, 'signed' | 'callback'> {
  if (!signed) return {}
  const request = (body: Uint8Array, eventId?: string) => inbound(slug, signed(body, eventId), query)
  return {
    signed: async (body) => request(body),
    ...(told && {
      // More than one in a request tests what no event of theirs can.
      async callback(events) {
        const [first, ...others] = events.map(told)
        const body = new TextEncoder().encode(JSON.stringify(others.length > 0 ? [first, ...others] : first))
        return request(body, events.find((event) => event !== null)?.eventId)
      },
    }),
  }
}

/** A parcel to somewhere else. */
export const to = (change: Partial<Shipment['destination']>): Shipment =>
  shipment({ destination: { ...shipment().destination, ...change } })
