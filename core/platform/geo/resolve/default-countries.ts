import { countries } from '../countries/index.ts'

/** Finds the country of a project; undefined if unknown. */
export type FindCountry = (projectId: string) => Promise<string | undefined>

/** Default countries of projects. */
export interface DefaultCountries {
  of(project: { readonly id: string }): Promise<string>
  /** Sets the lookup of a project's country. Called once, by the feature that knows stores. */
  setLookup(find: FindCountry): void
}

const CACHE_MS = 60_000
const CACHE_MAX = 10_000

/** Opens the default countries. `usual`: the operator's default; otherwise the first country that comes with the code. */
export function openDefaultCountries(usual: string | undefined): DefaultCountries {
  const known = new Map<string, { readonly country: Promise<string>; readonly until: number }>()
  const fallback = usual ?? countries[0].country
  let find: FindCountry = async () => undefined
  return {
    of({ id }) {
      const entry = known.get(id)
      if (entry && entry.until > Date.now()) return entry.country
      if (known.size >= CACHE_MAX) known.clear()
      const country = find(id).then((found) => found ?? fallback)
      known.set(id, { country, until: Date.now() + CACHE_MS })
      country.catch(() => known.delete(id))
      return country
    },
    setLookup: (learnt) => {
      find = learnt
    },
  }
}
