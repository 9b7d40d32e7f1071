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

/**
 * Reads a carrier's places in one state, in two or three calls, and caches them for ten minutes. Works before the complete list of a new
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
  const read = await callAdapter(
    context,
    connection,
    async (carrier, adapter) => {
      const state = (await (carrier.states?.(adapter) ?? [])).find((row) => stateCodeOf(catalogue, row) === stateCode)
      if (!state?.deliverable) return { state, cities: [], centers: [] }
      const cities = (await carrier.cities?.(adapter, { stateId: state.id })) ?? []
      const centers = (await carrier.centers?.(adapter, { stateId: state.id })) ?? []
      return { state, cities, centers: centers.filter(({ stateId }) => stateId === state.id) }
    },
    { operation: 'resolve', quota: 'read' },
  )
  const { matched } = await matchPlaces(
    catalogue,
    read.cities.map(({ id, name }) => ({ id, name, stateCode })),
  )
  return { ...read, matched }
}
