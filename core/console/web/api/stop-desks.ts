import { useQuery } from '@tanstack/preact-query'
import { useStore } from '../session/store.tsx'
import { type PageQuery, readAllPages } from './all-pages.ts'
import { useCarrierNames } from './carriers.ts'
import { api, type Schemas } from './client.ts'
import { unwrap } from './errors.ts'
import { useCities, useStates } from './places.ts'

/** Desk of a carrier at which customers collect their parcels. */
export type StopDesk = Pick<Schemas['Pickup'], 'id' | 'carrier' | 'name' | 'cityName'>

/** Stop desks of one carrier. */
export interface CarrierDesks {
  readonly carrier: string
  /** Name of the carrier. */
  readonly label: string
  readonly desks: readonly StopDesk[]
}

/** Place for which stop desks are read. */
export interface DeskPlace {
  readonly country: string
  readonly stateCode: string
  readonly cityName: string
}

/** Most pages that are read of one list; no state has more stop desks. */
const PAGES_MAX = 6
const STALE_MS = 5 * 60_000

/**
 * Reads the stop desks of a state by carrier, those nearest to the city first. Reads none for a state that the catalogue does not know, or
 * for a user who may not read them.
 */
export function useStopDesks({ country, stateCode, cityName }: DeskPlace) {
  const { storeId, can } = useStore()
  const state = useStates(country).data?.find(({ code }) => code === stateCode)?.code
  const cities = useCities(country, state)
  const city = cities.data?.find(({ name }) => name === cityName)?.code
  const { data, error } = useQuery({
    queryKey: ['stop-desks', storeId, country, state, city],
    staleTime: STALE_MS,
    enabled: can('geoPickups') && state !== undefined && !cities.isLoading,
    queryFn: () => {
      const place = { storeId, country, ...(state !== undefined && { state }), ...(city !== undefined && { city }) }
      const read = (page: PageQuery) => unwrap(api.GET('/v1/geo/pickups', { params: { query: { ...page, ...place } } }))
      return readAllPages<StopDesk>(read, PAGES_MAX)
    },
  })
  const nameOf = useCarrierNames(data !== undefined)
  return { carriers: data && groupByCarrier(data, nameOf), error }
}

/** Groups stop desks by their carrier, in the order in which each carrier comes first. Two accounts of a carrier have the same desks. */
function groupByCarrier(desks: readonly StopDesk[], nameOf: (slug: string) => string): readonly CarrierDesks[] {
  const byCarrier = new Map<string, Map<string, StopDesk>>()
  for (const desk of desks) {
    const found = byCarrier.get(desk.carrier) ?? new Map<string, StopDesk>()
    if (!found.has(desk.id)) found.set(desk.id, desk)
    byCarrier.set(desk.carrier, found)
  }
  return [...byCarrier].map(([carrier, found]) => ({ carrier, label: nameOf(carrier), desks: [...found.values()] }))
}
