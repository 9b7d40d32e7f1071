import type { Shipment } from '../../../../plugins/carrier/model.ts'
import type { City, State } from '../../../../plugins/carrier/places.model.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import type { Queryable } from '../../../data/sql.ts'
import { findFirstCatalogue } from '../../../platform/geo/catalogue/catalogues.ts'
import type { PlaceMatch } from '../../../platform/geo/resolve/match-places.model.ts'
import { matchPlaces, stateCodeOf } from '../../../platform/geo/resolve/match-places.ts'
import { AdapterFailure, type FailureReason, isThrottled } from '../../egress/adapter-failure.ts'
import { callAdapter } from '../calls/call-adapter.ts'
import { requireMembers } from '../calls/require-members.ts'
import type { CallOptions } from '../calls/trace-call.ts'
import { type CarrierConnection, findEnabledConnection } from '../connection.ts'
import { type CarrierPlaces, findPlaces, listStalePlaces, upsertPlaces } from './places.queries.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'connections.syncPlaces': { connectionId: string; runs?: number }
    'connections.syncStalePlaces': Record<string, unknown>
  }
}

const STALE_DAYS = 7
const ACCOUNTS_AT_ONCE = 500
const DEADLINE_MS = 60_000
/** Seconds after which to retry while places are read in the background. */
const READ_AGAIN_SECONDS = 60
/** Largest number of unmatched places that are stored for review. */
const LEFTOVERS_MAX = 5_000
/** Largest number of runs that continue after the quota ran out. Each run reads on from the previous one. */
const RUNS_MAX = 20

const canListPlaces = ({ mounted: { carrier } }: CarrierConnection) => carrier.states !== undefined && carrier.cities !== undefined

/** Enqueues the job that reads the carrier's places and matches them with the catalogue. */
export const requestPlacesSync = (sql: Queryable, connectionId: string, runs = 0, runAt?: Date) =>
  enqueue(sql, 'connections.syncPlaces', { connectionId, runs }, { key: `places:${connectionId}`, maxAttempts: 5, ...(runAt && { runAt }) })

/** Enqueues the reading of places that are more than seven days old. */
export async function requestStalePlacesSync({ sql }: Context) {
  for (const connectionId of await listStalePlaces(sql, STALE_DAYS, ACCOUNTS_AT_ONCE)) await requestPlacesSync(sql, connectionId)
}

/** Runs the job that reads and matches the carrier's places. If the quota runs out, enqueues another run that continues. */
export async function syncPlaces(context: Context, connectionId: string, runs: number, signal: AbortSignal) {
  const connection = await findEnabledConnection(context, 'carrier', connectionId)
  if (!connection || !canListPlaces(connection)) return
  await readPlaces(context, connection, readByState, { signal, quota: 'sync' }).catch(async (error: unknown) => {
    if (!(error instanceof AdapterFailure) || !isThrottled(error) || runs >= RUNS_MAX) throw error
    await requestPlacesSync(context.sql, connectionId, runs + 1, new Date(Date.now() + (error.upstream.retryAfterSeconds ?? 60) * 1000))
  })
}

interface PlaceList {
  readonly states: readonly State[]
  readonly cities: readonly City[]
}

type Limits = Pick<CallOptions, 'signal' | 'quota'>
type Read = (context: Context, connection: CarrierConnection, limits: Limits) => Promise<PlaceList>

const readAtOnce: Read = (context, connection, limits) =>
  callAdapter(
    context,
    connection,
    async (carrier, adapter) => ({
      states: await requireMembers(carrier, 'states').states(adapter),
      cities: await requireMembers(carrier, 'cities').cities(adapter, {}),
    }),
    { operation: 'places', deadlineMs: DEADLINE_MS, ...limits },
  )

/** Reads all places at once. Throws `rate_limited` if that is too much for one call; the background job reads them by state. */
const readNow: Read = (context, connection, limits) =>
  readAtOnce(context, connection, limits).catch((error: unknown) => {
    if (!isTooMuch(error)) throw error
    if (error instanceof AdapterFailure && isThrottled(error)) throw error
    const { label } = connection.mounted.carrier
    throw new AdapterFailure('rate_limited', `The places of ${label} are being read, state by state.`, {
      wasSent: false,
      upstream: {
        retryAfterSeconds: READ_AGAIN_SECONDS,
      },
    })
  })

/** Cities read so far by state, per connection, for carriers that list them by state. The next run continues from here. */
const partialReads = new Map<string, Map<string, readonly City[]>>()
const TOO_MUCH: readonly FailureReason[] = ['timeout', 'refused']
const isTooMuch = (error: unknown) => error instanceof AdapterFailure && (TOO_MUCH.includes(error.reason) || isThrottled(error))

/** Reads all places at once. Falls back to one call per state if that takes too long, exceeds the quota or is refused. */
const readByState: Read = async (context, connection, limits) => {
  const { id } = connection.row
  const found = partialReads.get(id) ?? new Map<string, readonly City[]>()
  if (!partialReads.has(id)) {
    const list = await readAtOnce(context, connection, limits).catch((error: unknown) => {
      if (!isTooMuch(error)) throw error
    })
    if (list) return list
    partialReads.set(id, found)
  }
  const options = { operation: 'places', deadlineMs: DEADLINE_MS, ...limits }
  const states = await callAdapter(context, connection, (carrier, adapter) => requireMembers(carrier, 'states').states(adapter), options)
  for (const { id: stateId } of states.filter(({ deliverable }) => deliverable))
    if (!found.has(stateId))
      found.set(
        stateId,
        await callAdapter(
          context,
          connection,
          (carrier, adapter) => requireMembers(carrier, 'cities').cities(adapter, { stateId }),
          options,
        ),
      )
  partialReads.delete(id)
  return { states, cities: [...found.values()].flat() }
}

async function readPlaces(context: Context, connection: CarrierConnection, read: Read, limits: Limits) {
  const list = await read(context, connection, limits)
  // An empty list counts as a failure of the carrier: the stored places stay.
  if (list.cities.length === 0) return
  const catalogue = findFirstCatalogue(connection.mounted.carrier.countries)
  // Without a catalogue of its country there is nothing to match.
  if (!catalogue) return
  const codes = new Map(list.states.map((state) => [state.id, stateCodeOf(catalogue, state)]))
  const places = list.cities.map(({ id, name, stateId }) => ({ id, name, stateCode: codes.get(stateId) }))
  const { theirs, ...found } = await matchPlaces(catalogue, places)
  await upsertPlaces(context.sql, connection.row, { ...found, theirs: theirs.slice(0, LEFTOVERS_MAX) })
  nameCache.delete(connection.row.id)
}

/** Returns the matched places of a carrier, and reads them first if they were never read. Returns undefined if the carrier lists none. */
export async function findOrReadPlaces(context: Context, connection: CarrierConnection): Promise<CarrierPlaces | undefined> {
  if (!canListPlaces(connection)) return undefined
  const stored = await findPlaces(context.sql, connection.row)
  if (stored) return stored
  await readPlaces(context, connection, readNow, { quota: 'list' })
  return findPlaces(context.sql, connection.row)
}

const CACHED_MS = 10 * 60_000
const CACHED_MAX = 1_000
const nameCache = new Map<string, { readonly until: number; readonly names: Promise<ReadonlyMap<string, PlaceMatch>> }>()

async function namesIn(context: Context, connection: CarrierConnection['row']): Promise<ReadonlyMap<string, PlaceMatch>> {
  const places = await findPlaces(context.sql, connection)
  return new Map(places?.matched.map((match) => [match.cityCode, match]))
}

/** Returns the shipment with the carrier's own name of the city, if known. Names differ in more than accents. */
export async function withCarrierCityName<S extends Pick<Shipment, 'destination'>>(
  context: Context,
  { row }: CarrierConnection,
  shipment: S,
): Promise<S> {
  const { cityCode } = shipment.destination
  if (!cityCode) return shipment
  const entry = nameCache.get(row.id)
  const fresh = entry && entry.until > Date.now() ? entry : { until: Date.now() + CACHED_MS, names: namesIn(context, row) }
  if (fresh !== entry) {
    if (nameCache.size >= CACHED_MAX) nameCache.clear()
    nameCache.set(row.id, fresh)
    fresh.names.catch(() => nameCache.delete(row.id))
  }
  const match = (await fresh.names).get(cityCode)
  return match ? { ...shipment, destination: { ...shipment.destination, cityName: match.name } } : shipment
}
