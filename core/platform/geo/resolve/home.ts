import { countries } from '../countries/index.ts'

/** Finds the country of a project; undefined if unknown. */
export type FindHome = (projectId: string) => Promise<string | undefined>

/** Default countries of projects. */
export interface Homes {
  of(project: { readonly id: string }): Promise<string>
  /** Sets the lookup of a project's country. Called once, by the feature that knows stores. */
  learn(find: FindHome): void
}

const CACHE_MS = 60_000
const CACHE_MAX = 10_000

/** Opens the default countries. `usual`: the operator's default; otherwise the first country that comes with the code. */
export function openHomes(usual: string | undefined): Homes {
  const known = new Map<string, { readonly country: Promise<string>; readonly until: number }>()
  const fallback = usual ?? countries[0].country
  let find: FindHome = async () => undefined
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
    learn: (learnt) => {
      find = learnt
    },
  }
}
