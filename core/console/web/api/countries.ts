import { readAllPages } from './all-pages.ts'
import { api, type Schemas } from './client.ts'
import { unwrap } from './errors.ts'

type Country = Schemas['Country']

/** More pages than the world has countries for. */
const PAGES_MAX = 5

/** Reads all countries that a store can be in, by name. */
export const readCountries = (): Promise<readonly Country[]> =>
  readAllPages((page) => unwrap(api.GET('/v1/countries', { params: { query: { ...page, sort: 'name', enabled: true } } })), PAGES_MAX)
