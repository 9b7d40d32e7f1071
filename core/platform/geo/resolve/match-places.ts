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
  const unsure: CarrierPlace[] = []
  for (const place of places) {
    if (!record(place, findByName(catalogue, place))) unsure.push(place)
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

type Namesakes = ReadonlyMap<string, City | undefined>
const namesakes = new WeakMap<Catalogue, Namesakes>()

/** Indexes cities by state and name. Undefined for a name that two cities of a state share. */
function indexByName({ cities }: Catalogue, names: (city: City) => readonly string[]): Namesakes {
  const found = new Map<string, City | undefined>()
  for (const city of cities)
    for (const name of names(city).filter((each) => each !== '')) {
      const key = `${city.stateCode} ${keyOf(name)}`
      found.set(key, found.has(key) && found.get(key) !== city ? undefined : city)
    }
  return found
}

/** Finds a city by name in a state. Its own names take precedence over other names of its neighbours. */
function findByName(catalogue: Catalogue, { name, stateCode }: CarrierPlace): City | undefined {
  const known = namesakes.get(catalogue)
  const names =
    known ??
    new Map([...indexByName(catalogue, ({ otherNames }) => otherNames), ...indexByName(catalogue, (city) => [city.name, city.nameAr])])
  if (!known) namesakes.set(catalogue, names)
  return names.get(`${stateCode} ${keyOf(name)}`)
}

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
