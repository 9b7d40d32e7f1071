import type { Catalogue, City, State } from './catalogue.ts'
import { NameIndex } from './name-index.ts'

/** A catalogue with the names of its places indexed; made once for each. */
export interface Places {
  readonly catalogue: Catalogue
  /** All of both schemes, 58 and 69. */
  readonly states: readonly State[]
  readonly stateNames: NameIndex<State>
  readonly cityNames: NameIndex<City>
  stateOf(code: string): State | undefined
}

const made = new WeakMap<Catalogue, Places>()

export function placesOf(catalogue: Catalogue): Places {
  const known = made.get(catalogue)
  if (known) return known
  const places = index(catalogue)
  made.set(catalogue, places)
  return places
}

function index(catalogue: Catalogue): Places {
  const states = [...catalogue.states, ...catalogue.newStates]
  const byCode = new Map(states.map((state) => [state.code, state]))
  return {
    catalogue,
    states,
    stateNames: new NameIndex(states),
    cityNames: new NameIndex(catalogue.cities, (city) => city.stateCode),
    stateOf: (code) => byCode.get(code),
  }
}
