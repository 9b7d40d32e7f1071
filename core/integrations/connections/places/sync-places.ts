import type { City, Shipment, State } from '../../../../plugins/carrier/model.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import type { Queryable } from '../../../data/sql.ts'
import { findFirstCatalogue } from '../../../platform/geo/catalogue/catalogues.ts'
import type { PlaceMatch } from '../../../platform/geo/resolve/match-places.model.ts'
import { matchPlaces, stateCodeOf } from '../../../platform/geo/resolve/match-places.ts'
import { AdapterFailure, type FailureReason, isHeldBack } from '../../egress/failure.ts'
import { type CallOptions, callAdapter } from '../calls/call.ts'
import { having } from '../calls/having.ts'
import { type CarrierConnection, connectionIfOn } from '../connection.ts'
import { type CarrierPlaces, findPlaces, listStalePlaces, putPlaces } from './places.queries.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'integrations.places': { connectionId: string; runs?: number }
    'integrations.stalePlaces': Record<string, unknown>
  }
}

const STALE_DAYS = 7
const ACCOUNTS_AT_ONCE = 500
const DEADLINE_MS = 60_000
/** Seconds after which places that are being read in the background are asked for again. */
const READ_AGAIN_SECONDS = 60
/** Of the carrier's places that are none of ours, for a person to look through. */
const LEFTOVERS_MAX = 5_000
/** What an adapter read before its quota ran out it remembers, and goes on from there. */
const RUNS_MAX = 20

const listsPlaces = ({ mounted: { carrier } }: CarrierConnection) => carrier.states !== undefined && carrier.cities !== undefined

/** Reads the carrier's places, in the background, and finds ours among them. A quota that runs out is waited for. */
export const requestPlaces = (sql: Queryable, connectionId: string, runs = 0, runAt?: Date) =>
  enqueue(sql, 'integrations.places', { connectionId, runs }, { key: `places:${connectionId}`, maxAttempts: 5, ...(runAt && { runAt }) })

export async function requestStalePlaces({ sql }: Context) {
  for (const connectionId of await listStalePlaces(sql, STALE_DAYS, ACCOUNTS_AT_ONCE)) await requestPlaces(sql, connectionId)
}

export async function syncPlaces(context: Context, connectionId: string, runs: number, signal: AbortSignal) {
  const connection = await connectionIfOn(context, 'carrier', connectionId)
  if (!connection || !listsPlaces(connection)) return
  await readPlaces(context, connection, readInTurn, { signal, quota: 'sync' }).catch(async (error: unknown) => {
    if (!(error instanceof AdapterFailure) || !isHeldBack(error) || runs >= RUNS_MAX) throw error
    await requestPlaces(context.sql, connectionId, runs + 1, new Date(Date.now() + (error.upstream.retryAfterSeconds ?? 60) * 1000))
  })
}

interface Told {
  readonly states: readonly State[]
  readonly cities: readonly City[]
}

type Limits = Pick<CallOptions, 'signal' | 'quota'>
type Read = (context: Context, connection: CarrierConnection, limits: Limits) => Promise<Told>

const readAtOnce: Read = (context, connection, limits) =>
  callAdapter(
    context,
    connection,
    async (carrier, adapter) => ({
      states: await having(carrier, 'states').states(adapter),
      cities: await having(carrier, 'cities').cities(adapter, {}),
    }),
    { operation: 'places', deadlineMs: DEADLINE_MS, ...limits },
  )

/** What is too much for one call is read in the background, since the store was connected. */
const readNow: Read = (context, connection, limits) =>
  readAtOnce(context, connection, limits).catch((error: unknown) => {
    if (!isTooMuch(error)) throw error
    if (error instanceof AdapterFailure && isHeldBack(error)) throw error
    const { label } = connection.mounted.carrier
    throw new AdapterFailure('rate_limited', false, `The places of ${label} are being read, state by state.`, {
      retryAfterSeconds: READ_AGAIN_SECONDS,
    })
  })

/** What was read of carriers whose communes come state by state; a run that meets the end of the quota is gone on with. */
const begun = new Map<string, Map<string, readonly City[]>>()
const TOO_MUCH: readonly FailureReason[] = ['timeout', 'refused']
const isTooMuch = (error: unknown) => error instanceof AdapterFailure && (TOO_MUCH.includes(error.reason) || isHeldBack(error))

/** All at once; and state by state where that takes too long, or more calls than there are, or is declined. */
const readInTurn: Read = async (context, connection, limits) => {
  const { id } = connection.row
  const found = begun.get(id) ?? new Map<string, readonly City[]>()
  if (!begun.has(id)) {
    const told = await readAtOnce(context, connection, limits).catch((error: unknown) => {
      if (!isTooMuch(error)) throw error
    })
    if (told) return told
    begun.set(id, found)
  }
  const options = { operation: 'places', deadlineMs: DEADLINE_MS, ...limits }
  const states = await callAdapter(context, connection, (carrier, adapter) => having(carrier, 'states').states(adapter), options)
  for (const { id: stateId } of states.filter(({ deliverable }) => deliverable))
    if (!found.has(stateId))
      found.set(
        stateId,
        await callAdapter(context, connection, (carrier, adapter) => having(carrier, 'cities').cities(adapter, { stateId }), options),
      )
  begun.delete(id)
  return { states, cities: [...found.values()].flat() }
}

async function readPlaces(context: Context, connection: CarrierConnection, read: Read, limits: Limits) {
  const told = await read(context, connection, limits)
  // A carrier without any place has a bad day: what was read before stays.
  if (told.cities.length === 0) return
  const catalogue = findFirstCatalogue(connection.mounted.carrier.countries)
  // Of its countries we know no place: there is nothing to be found in its list.
  if (!catalogue) return
  const codes = new Map(told.states.map((state) => [state.id, stateCodeOf(catalogue, state)]))
  const places = told.cities.map(({ id, name, stateId }) => ({ id, name, stateCode: codes.get(stateId) }))
  const { theirs, ...found } = await matchPlaces(catalogue, places)
  await putPlaces(context.sql, connection.row.id, { ...found, theirs: theirs.slice(0, LEFTOVERS_MAX) })
  known.delete(connection.row.id)
}

/** The carrier's places beside ours, read now where they were never read. */
export async function placesOfCarrier(context: Context, connection: CarrierConnection): Promise<CarrierPlaces | undefined> {
  if (!listsPlaces(connection)) return undefined
  const kept = await findPlaces(context.sql, connection.row.id)
  if (kept) return kept
  await readPlaces(context, connection, readNow, { quota: 'list' })
  return findPlaces(context.sql, connection.row.id)
}

const KNOWN_MS = 10 * 60_000
const KNOWN_MAX = 1_000
const known = new Map<string, { readonly until: number; readonly names: Promise<ReadonlyMap<string, PlaceMatch>> }>()

async function namesIn(context: Context, connectionId: string): Promise<ReadonlyMap<string, PlaceMatch>> {
  const places = await findPlaces(context.sql, connectionId)
  return new Map(places?.matched.map((match) => [match.cityCode, match]))
}

/** What goes to the carrier, with the commune as it writes it, where that is known: names differ in more than accents. */
export async function inCarrierWords<S extends Pick<Shipment, 'destination'>>(
  context: Context,
  { row }: CarrierConnection,
  shipment: S,
): Promise<S> {
  const { cityCode } = shipment.destination
  if (!cityCode) return shipment
  const entry = known.get(row.id)
  const fresh = entry && entry.until > Date.now() ? entry : { until: Date.now() + KNOWN_MS, names: namesIn(context, row.id) }
  if (fresh !== entry) {
    if (known.size >= KNOWN_MAX) known.clear()
    known.set(row.id, fresh)
    fresh.names.catch(() => known.delete(row.id))
  }
  const match = (await fresh.names).get(cityCode)
  return match ? { ...shipment, destination: { ...shipment.destination, cityName: match.name } } : shipment
}
