import type { Center, City, State } from '../../../../plugins/carrier/model.ts'
import type { Context } from '../../../context.ts'
import { evictOldest } from '../../../lib/evict-oldest.ts'
import type { Catalogue } from '../../../platform/geo/catalogue/catalogue.ts'
import type { PlaceMatch } from '../../../platform/geo/resolve/match-places.model.ts'
import { matchPlaces, stateCodeOf } from '../../../platform/geo/resolve/match-places.ts'
import { callAdapter } from '../calls/call.ts'
import type { CarrierConnection } from '../connection.ts'

/** Places of a carrier in one state of ours. */
export interface PlacesInState {
  /** Undefined where the carrier has no such state. */
  readonly state: State | undefined
  readonly cities: readonly City[]
  readonly centers: readonly Center[]
  /** Our cities among them. */
  readonly matched: readonly PlaceMatch[]
}

const KEPT_MS = 10 * 60_000
const KEPT_MAX = 2_000
const known = new Map<string, { readonly until: number; readonly places: PlacesInState }>()

/**
 * Reads the carrier's places in one state, in two or three calls, and keeps them for ten minutes. A new account answers for an address this way
 * while its whole list is still being read. Throws `AdapterFailure`.
 */
export async function placesIn(
  context: Context,
  connection: CarrierConnection,
  catalogue: Catalogue,
  stateCode: string,
): Promise<PlacesInState> {
  const { id, updatedAt } = connection.row
  const key = `${id} ${updatedAt} ${stateCode}`
  const kept = known.get(key)
  if (kept && kept.until > Date.now()) return kept.places
  return context.connections.together(`places in ${key}`, async () => {
    const places = await readPlacesIn(context, connection, catalogue, stateCode)
    known.delete(key)
    known.set(key, { until: Date.now() + KEPT_MS, places })
    evictOldest(known, KEPT_MAX)
    return places
  })
}

async function readPlacesIn(
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
