import { yieldEvery } from '../../../lib/async/yield-every.ts'
import type { Catalogue, City } from '../catalogue/catalogue.ts'
import { fold, removeSpaces } from '../names/fold.ts'
import type { CarrierPlace, MatchResult, PlaceMatch } from './match-places.model.ts'
import { findState, findStateByName, indexedCatalogueOf } from './places.ts'
import { resolverOf } from './resolve.ts'

/** Confidence required to send a parcel there. */
const SURE = 0.9
/** Places that are resolved like addresses, which takes milliseconds each. Few countries have more cities. */
const READ_MAX = 1_600
/** Milliseconds between yields. Short, because resolving one place already takes long. */
const SLICE_MS = 1

const keyOf = (name: string) => removeSpaces(fold(name))

/** Matches our cities with a carrier's list: first by name within the state, then by resolving the place with high confidence. */
export async function matchPlaces(catalogue: Catalogue, places: readonly CarrierPlace[]): Promise<MatchResult> {
  const matched = new Map<string, PlaceMatch>()
  const record = ({ id, name }: CarrierPlace, city: City | undefined) => {
    if (!city || matched.has(city.code)) return false
    return Boolean(matched.set(city.code, { cityCode: city.code, stateCode: city.stateCode, id, name }))
  }
  const pause = yieldEvery(SLICE_MS)
  const findByName = await namesakesOf(catalogue)
  const unsure: CarrierPlace[] = []
  for (const place of places) {
    if (!record(place, findByName(place))) unsure.push(place)
    await pause()
  }
  const theirs: CarrierPlace[] = []
  for (const [at, place] of unsure.entries()) {
    if (at >= READ_MAX || !record(place, findByResolving(catalogue, place))) theirs.push(place)
    await pause()
  }
  const served = new Set(places.map(({ stateCode }) => stateCode))
  const ours = catalogue.cities.filter(({ code, stateCode }) => served.has(stateCode) && !matched.has(code))
  return { matched: [...matched.values()], theirs, ours: ours.map(({ code, stateCode, name }) => ({ cityCode: code, stateCode, name })) }
}

type FindByName = (place: CarrierPlace) => City | undefined
const namesakes = new WeakMap<Catalogue, Promise<FindByName>>()

/** Returns a function that finds a city by name in a state. Indexes the names at first use. */
function namesakesOf(catalogue: Catalogue): Promise<FindByName> {
  const known = namesakes.get(catalogue) ?? indexByName(catalogue)
  namesakes.set(catalogue, known)
  return known
}

/** Indexes cities by name in steps, so that other work can run. A city's own names take precedence over other names of its neighbours. */
async function indexByName({ cities }: Catalogue): Promise<FindByName> {
  const pause = yieldEvery()
  const [own, other] = [new Map<string, City | undefined>(), new Map<string, City | undefined>()]
  for (const city of cities) {
    addNames(own, city, [city.name, city.nameAr])
    addNames(other, city, city.otherNames)
    await pause()
  }
  return (place) => {
    const key = keyInState(place)
    return own.has(key) ? own.get(key) : other.get(key)
  }
}

/** Adds a city under its names. A name that two cities of a state share finds neither. */
function addNames(known: Map<string, City | undefined>, city: City, names: readonly string[]): void {
  for (const name of names) {
    if (name === '') continue
    const key = keyInState({ name, stateCode: city.stateCode })
    known.set(key, known.has(key) && known.get(key) !== city ? undefined : city)
  }
}

const keyInState = ({ name, stateCode }: Pick<CarrierPlace, 'name' | 'stateCode'>) => `${stateCode} ${keyOf(name)}`

function findByResolving(catalogue: Catalogue, { name, stateCode }: CarrierPlace): City | undefined {
  if (stateCode === undefined) return undefined
  const found = resolverOf(catalogue).resolve({ state: stateCode, city: name })
  const isSure = found.stateCode === stateCode && found.cityCode && found.confidence >= SURE
  return isSure && found.cityCode ? indexedCatalogueOf(catalogue).cityOf(found.cityCode) : undefined
}

/** Returns the code of our state for a carrier's state, by code or else by name. A new state maps to the one that it was split from. */
export function stateCodeOf(
  catalogue: Catalogue,
  { code, name }: { readonly code?: string | undefined; readonly name: string },
): string | undefined {
  const places = indexedCatalogueOf(catalogue)
  const byCode = code ? findState(places, code) : undefined
  if (byCode) return byCode.carrierCode
  return findStateByName(places, name)?.carrierCode
}
