import type { Sql } from '../../../data/sql.ts'
import { yieldEvery } from '../../../lib/async/yield-every.ts'
import type { Catalogue, City, State } from '../catalogue/catalogue.ts'
import { defaultConventions } from '../countries/default-conventions.ts'
import { listImported, type PlaceKind } from './import.queries.ts'

const AT_ONCE = 1_000

/** Reads the catalogue of an imported country in batches, so that other work can run. */
export async function readImported(sql: Sql, country: string): Promise<Catalogue> {
  const states = ((await readAll(sql, country, 'state')) as State[]).map(withCodeAsName)
  const cities = (await readAll(sql, country, 'city')) as City[]
  return {
    country,
    otherNames: [],
    conventions: { ...defaultConventions, digits: digitsOf(states, cities) },
    states,
    newStates: [],
    cities,
    borders: null,
  }
}

async function readAll(sql: Sql, country: string, kind: PlaceKind): Promise<(State | City)[]> {
  const yieldSlice = yieldEvery()
  const all: (State | City)[] = []
  for (let after = ''; ; ) {
    const rows = await listImported(sql, country, kind, after, AT_ONCE)
    all.push(...rows.map(({ place }) => place))
    const last = rows.at(-1)
    if (!last || rows.length < AT_ONCE) return all
    after = last.code
    await yieldSlice()
  }
}

const isNumber = (text: string) => /^\d+$/.test(text)

/** Adds a code of letters to the names, since people write it like a name. */
const withCodeAsName = (state: State): State => (isNumber(state.code) ? state : { ...state, otherNames: [...state.otherNames, state.code] })

/** Derives the numbers of digits of a country's codes from its places. */
function digitsOf(states: readonly State[], cities: readonly City[]): Catalogue['conventions']['digits'] {
  const longest = (codes: readonly string[]) => codes.filter(isNumber).reduce((most, code) => Math.max(most, code.length), 0)
  const posts = Map.groupBy(cities.flatMap(({ postalCodes }) => postalCodes).filter(isNumber), (code) => code.length)
  const [post] = [...posts].sort(([, a], [, b]) => b.length - a.length)
  return {
    state: longest(states.map(({ code }) => code)),
    city: longest(cities.map(({ code }) => code)),
    post: post?.[0] ?? 0,
    stateInPost: 0,
  }
}
