import { countries } from '../countries/index.ts'

/** The country of a project, where whoever knows projects knows one. */
export type FindHome = (projectId: string) => Promise<string | undefined>

/** Which country is meant where nobody says one. */
export interface Homes {
  of(project: { readonly id: string }): Promise<string>
  /** Said once, by a feature that knows what the project sells from. */
  learn(find: FindHome): void
}

const KNOWN_MS = 60_000
const KNOWN_MAX = 10_000

/** `usual`: what the operator says; else it is the first country that comes with the code. */
export function openHomes(usual: string | undefined): Homes {
  const known = new Map<string, { readonly country: Promise<string>; readonly until: number }>()
  const otherwise = usual ?? countries[0].country
  let find: FindHome = async () => undefined
  return {
    of({ id }) {
      const entry = known.get(id)
      if (entry && entry.until > Date.now()) return entry.country
      if (known.size >= KNOWN_MAX) known.clear()
      const country = find(id).then((found) => found ?? otherwise)
      known.set(id, { country, until: Date.now() + KNOWN_MS })
      country.catch(() => known.delete(id))
      return country
    },
    learn: (learnt) => {
      find = learnt
    },
  }
}
