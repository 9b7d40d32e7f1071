import { api, type Schemas } from './client.ts'
import { unwrap } from './errors.ts'

type Country = Schemas['Country']

const PAGE = 100
/** More pages than the world has countries for. */
const MOST_PAGES = 5

/** Reads all countries that a store can be in, by name. */
export async function readCountries(): Promise<readonly Country[]> {
  const all: Country[] = []
  let next: string | null = ''
  for (let page = 0; page < MOST_PAGES && next !== null; page += 1) {
    const answer: { readonly data: Country[]; readonly nextCursor: string | null } = await readPage(next)
    all.push(...answer.data)
    next = answer.nextCursor
  }
  return all
}

const readPage = (cursor: string) =>
  unwrap(api.GET('/v1/countries', { params: { query: { limit: PAGE, sort: 'name', enabled: true, ...(cursor && { cursor }) } } }))
