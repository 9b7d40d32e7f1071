import type { Center, City, State } from '../../../../plugins/carrier/places.model.ts'
import type { Context } from '../../../context.ts'
import { evictOldest } from '../../../lib/evict-oldest.ts'
import type { Catalogue } from '../../../platform/geo/catalogue/catalogue.ts'
import type { PlaceMatch } from '../../../platform/geo/resolve/match-places.model.ts'
import { matchPlaces, stateCodeOf } from '../../../platform/geo/resolve/match-places.ts'
import { callAdapter } from '../calls/call-adapter.ts'
import type { CarrierConnection } from '../connection.ts'

/** Places of a carrier in one state of the catalogue. */
export interface PlacesInState {
  /** Undefined if the carrier does not know the state. */
  readonly state: State | undefined
  readonly cities: readonly City[]
  readonly centers: readonly Center[]
  /** Cities that match a city of the catalogue. */
  readonly matched: readonly PlaceMatch[]
}

const CACHED_MS = 10 * 60_000
const CACHED_MAX = 2_000
const cache = new Map<string, { readonly until: number; readonly places: PlacesInState }>()
const stateLists = new Map<string, { readonly until: number; readonly states: readonly State[] }>()

/**
 * Reads a carrier's places in one state, in one or two calls beside its list of states, and caches both for ten minutes. Works before the complete list of a new
 * account has been read. Throws `AdapterFailure`.
 */
export async function readPlacesInState(
  context: Context,
  connection: CarrierConnection,
  catalogue: Catalogue,
  stateCode: string,
): Promise<PlacesInState> {
  const { id, updatedAt } = connection.row
  const key = `${id} ${updatedAt} ${stateCode}`
  const cached = cache.get(key)
  if (cached && cached.until > Date.now()) return cached.places
  return context.connections.runSingleFlight(`places in ${key}`, async () => {
    const places = await fetchPlaces(context, connection, catalogue, stateCode)
    cache.delete(key)
    cache.set(key, { until: Date.now() + CACHED_MS, places })
    evictOldest(cache, CACHED_MAX)
    return places
  })
}

async function fetchPlaces(
  context: Context,
  connection: CarrierConnection,
  catalogue: Catalogue,
  stateCode: string,
): Promise<PlacesInState> {
  const state = (await readStates(context, connection)).find((row) => stateCodeOf(catalogue, row) === stateCode)
  if (!state?.deliverable) return { state, cities: [], centers: [], matched: [] }
  const read = await callAdapter(
    context,
    connection,
    async (carrier, adapter) => {
      const cities = (await carrier.cities?.(adapter, { stateId: state.id })) ?? []
      const centers = (await carrier.centers?.(adapter, { stateId: state.id })) ?? []
      return { cities, centers: centers.filter(({ stateId }) => stateId === state.id) }
    },
    { operation: 'resolve', quota: 'read' },
  )
  const { matched } = await matchPlaces(
    catalogue,
    read.cities.map(({ id, name }) => ({ id, name, stateCode })),
  )
  return { state, ...read, matched }
}

/** Reads a carrier's states. Many addresses of a new account are resolved while its quota is small, so the list is read once. */
async function readStates(context: Context, connection: CarrierConnection): Promise<readonly State[]> {
  const { id, updatedAt } = connection.row
  const key = `${id} ${updatedAt}`
  const cached = stateLists.get(key)
  if (cached && cached.until > Date.now()) return cached.states
  const states = await callAdapter(context, connection, async (carrier, adapter) => (await carrier.states?.(adapter)) ?? [], {
    operation: 'resolve',
    quota: 'read',
  })
  stateLists.delete(key)
  stateLists.set(key, { until: Date.now() + CACHED_MS, states })
  evictOldest(stateLists, CACHED_MAX)
  return states
}
