import { yieldEvery } from '../../../lib/async/yield-every.ts'
import type { Catalogue, City, State } from '../catalogue/catalogue.ts'
import { AddressReader } from '../names/address-reader.ts'
import { fold, removeSpaces } from '../names/fold.ts'
import { NameIndex } from '../names/name-index.ts'

/** Catalogue with an index of its names. Built once per catalogue. */
export interface IndexedCatalogue {
  readonly catalogue: Catalogue
  /** All states, including current ones that no carrier knows. */
  readonly states: readonly State[]
  readonly stateNames: NameIndex
  readonly cityNames: NameIndex
  readonly writing: AddressReader
  stateOf(code: string): State | undefined
  stateOfNumber(number: number): State | undefined
  cityOf(code: string): City | undefined
}

const cache = new WeakMap<Catalogue, IndexedCatalogue>()

/** Returns the indexed places of a catalogue. Builds the index at first use. */
export function indexedCatalogueOf(catalogue: Catalogue): IndexedCatalogue {
  const known = cache.get(catalogue)
  if (known) return known
  const indexing = index(catalogue)
  let step = indexing.next()
  while (!step.done) step = indexing.next()
  cache.set(catalogue, step.value)
  return step.value
}

/** Builds the index in steps, so that other work can run. For catalogues that are imported while the server runs. */
export async function indexPlaces(catalogue: Catalogue): Promise<void> {
  const yieldSlice = yieldEvery()
  const indexing = index(catalogue)
  for (let step = indexing.next(); ; step = indexing.next()) {
    if (step.done) return void cache.set(catalogue, step.value)
    await yieldSlice()
  }
}

function* index(catalogue: Catalogue): Generator<void, IndexedCatalogue> {
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
    writing: new AddressReader(catalogue.conventions),
    stateOf: (code) => byCode.get(code),
    stateOfNumber: (number) => byNumber.get(number),
    cityOf: (code) => cities.get(code),
  }
}

/** Finds a state by its code, ignoring case and leading zeros. */
export const findState = ({ stateOf, stateOfNumber: stateNumbered }: IndexedCatalogue, code: string): State | undefined =>
  stateOf(code) ?? stateOf(code.toUpperCase()) ?? (/^\d+$/.test(code) ? stateNumbered(Number(code)) : undefined)

/** Finds a state by its full name in any language, ignoring accents, case and spaces. */
export function findStateByName({ states }: IndexedCatalogue, name: string): State | undefined {
  const wanted = keyOf(name)
  return states.find((state) => [state.name, state.nameAr, ...state.otherNames].some((each) => keyOf(each) === wanted))
}

const keyOf = (name: string) => removeSpaces(fold(name))
