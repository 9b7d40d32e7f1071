import { useQuery } from '@tanstack/preact-query'
import { api } from './client.ts'
import { unwrap } from './errors.ts'

/** State or city of the place catalogue. `nameAr` is null where it is unknown. */
export interface Place {
  readonly code: string
  readonly name: string
  readonly nameAr?: string | null
}

const PAGE = 100
/** Most pages that are read of one list; what lies beyond can be typed. */
const PAGES_MAX = 6
const A_DAY_MS = 24 * 60 * 60_000

interface Page {
  readonly data: readonly Place[]
  readonly nextCursor: string | null
}

async function readAll(read: (cursor: string | undefined) => Promise<Page>): Promise<readonly Place[]> {
  const places: Place[] = []
  let cursor: string | undefined
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { data, nextCursor } = await read(cursor)
    places.push(...data)
    if (nextCursor === null) break
    cursor = nextCursor
  }
  return places
}

const pageOf = (cursor: string | undefined) => ({ limit: PAGE, ...(cursor !== undefined && { cursor }) })

/** Reads the states of a country, by their code. */
export const useStates = (country: string) =>
  useQuery({
    queryKey: ['states', country],
    staleTime: A_DAY_MS,
    queryFn: async () => {
      const path = { country_code: country }
      const found = await readAll((cursor) =>
        unwrap(api.GET('/v1/countries/{country_code}/states', { params: { path, query: pageOf(cursor) } })),
      )
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
      return readAll((cursor) =>
        unwrap(
          api.GET('/v1/countries/{country_code}/states/{state_code}/cities', {
            params: { path, query: { ...pageOf(cursor), sort: 'name' } },
          }),
        ),
      )
    },
  })
