import { useQuery } from '@tanstack/preact-query'
import { type PageQuery, readAllPages } from './all-pages.ts'
import { api } from './client.ts'
import { unwrap } from './errors.ts'

/** State or city of the place catalogue. `nameAr` is null where it is unknown. */
export interface Place {
  readonly code: string
  readonly name: string
  readonly nameAr?: string | null
}

/** Most pages that are read of one list; what lies beyond can be typed. */
const PAGES_MAX = 6
const A_DAY_MS = 24 * 60 * 60_000

/** Reads the states of a country, by their code. */
export const useStates = (country: string) =>
  useQuery({
    queryKey: ['states', country],
    staleTime: A_DAY_MS,
    queryFn: async () => {
      const path = { country_code: country }
      const read = (query: PageQuery) => unwrap(api.GET('/v1/countries/{country_code}/states', { params: { path, query } }))
      const found = await readAllPages<Place>(read, PAGES_MAX)
      return found.toSorted((one, other) => one.code.localeCompare(other.code, 'en', { numeric: true }))
    },
  })

/** Reads the cities of a state, by their name. Reads nothing for a state that the catalogue does not know. */
export const useCities = (country: string, stateCode: string | undefined) =>
  useQuery({
    queryKey: ['cities', country, stateCode],
    staleTime: A_DAY_MS,
    enabled: stateCode !== undefined,
    queryFn: () => {
      const path = { country_code: country, state_code: stateCode ?? '' }
      const read = (page: PageQuery) => {
        const query = { ...page, sort: 'name' as const }
        return unwrap(api.GET('/v1/countries/{country_code}/states/{state_code}/cities', { params: { path, query } }))
      }
      return readAllPages<Place>(read, PAGES_MAX)
    },
  })
