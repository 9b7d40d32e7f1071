import type { Config } from '../../config.ts'
import type { Sql } from '../../data/sql.ts'
import { countries } from '../../platform/geo/countries/index.ts'
import { findStoreOfProject } from '../stores/stores.queries.ts'

/** Default countries of projects: that of their store, else the operator's default, else the first that comes with the code. */
export interface DefaultCountries {
  of(project: { readonly id: string }): Promise<string>
}

interface Needs {
  readonly sql: Sql
  readonly config: Config
}

const CACHE_MS = 60_000
const CACHE_MAX = 10_000

/** Opens the default countries, which are cached for a minute. */
export function openDefaultCountries({ sql, config }: Needs): DefaultCountries {
  const known = new Map<string, { readonly country: Promise<string>; readonly until: number }>()
  const fallback = config.defaultCountry ?? countries[0].country
  return {
    of({ id }) {
      const entry = known.get(id)
      if (entry && entry.until > Date.now()) return entry.country
      if (known.size >= CACHE_MAX) known.clear()
      const country = findStoreOfProject(sql, id).then((store) => store?.countryCode ?? fallback)
      known.set(id, { country, until: Date.now() + CACHE_MS })
      country.catch(() => known.delete(id))
      return country
    },
  }
}
