import { yieldEvery } from '../../../lib/async/yield-every.ts'
import type { Catalogue, City, State } from '../catalogue/catalogue.ts'
import { fold, tighten } from '../names/fold.ts'
import { NameIndex } from '../names/name-index.ts'
import { Writing } from '../names/written.ts'

/** A catalogue with the names of its places indexed; made once for each. */
export interface Places {
  readonly catalogue: Catalogue
  /** Those of today too that no carrier knows. */
  readonly states: readonly State[]
  readonly stateNames: NameIndex
  readonly cityNames: NameIndex
  readonly writing: Writing
  stateOf(code: string): State | undefined
  stateNumbered(number: number): State | undefined
  cityOf(code: string): City | undefined
}

const made = new WeakMap<Catalogue, Places>()

export function placesOf(catalogue: Catalogue): Places {
  const known = made.get(catalogue)
  if (known) return known
  const indexing = index(catalogue)
  let step = indexing.next()
  while (!step.done) step = indexing.next()
  made.set(catalogue, step.value)
  return step.value
}

/** The same beside other work, for catalogues that come while people are served. */
export async function indexPlaces(catalogue: Catalogue): Promise<void> {
  const breathe = yieldEvery()
  const indexing = index(catalogue)
  for (let step = indexing.next(); ; step = indexing.next()) {
    if (step.done) return void made.set(catalogue, step.value)
    await breathe()
  }
}

function* index(catalogue: Catalogue): Generator<void, Places> {
  const states = [...catalogue.states, ...catalogue.newStates]
  const stateNames = new NameIndex()
  const cityNames = new NameIndex()
  for (const state of states) yield stateNames.add(state)
  for (const city of catalogue.cities) yield cityNames.add(city, city.stateCode)
  const byCode = new Map(states.map((state) => [state.code, state]))
  const byNumber = new Map(states.map((state) => [Number(state.code), state]))
  const cities = new Map(catalogue.cities.map((city) => [city.code, city]))
  return {
    catalogue,
    states,
    stateNames,
    cityNames,
    writing: new Writing(catalogue.manner),
    stateOf: (code) => byCode.get(code),
    stateNumbered: (number) => byNumber.get(number),
    cityOf: (code) => cities.get(code),
  }
}

/** A state by its code as people write it, whatever zeros before it and case. */
export const findState = ({ stateOf, stateNumbered }: Places, code: string): State | undefined =>
  stateOf(code) ?? stateOf(code.toUpperCase()) ?? (/^\d+$/.test(code) ? stateNumbered(Number(code)) : undefined)

/** A state by its whole name in any language, however it is spelt with accents, case and spaces. */
export function stateNamed({ states }: Places, name: string): State | undefined {
  const wanted = keyOf(name)
  return states.find((state) => [state.name, state.nameAr, ...state.otherNames].some((each) => keyOf(each) === wanted))
}

const keyOf = (name: string) => tighten(fold(name))
