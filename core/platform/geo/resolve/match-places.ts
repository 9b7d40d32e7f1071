import { yieldEvery } from '../../../lib/async/yield-every.ts'
import type { Catalogue, City } from '../catalogue/catalogue.ts'
import { fold, tighten } from '../names/fold.ts'
import type { ForeignPlace, Matched, PlaceMatch } from './match-places.model.ts'
import { findState, placesOf, stateNamed } from './places.ts'
import { resolverOf } from './resolve.ts'

/** Sure enough to send a parcel there. */
const SURE = 0.9
/** Few countries have more cities: places beyond are not read as an address is, which takes milliseconds each. */
const READ_MAX = 1_600
/** Short, since each turn ends with one place read whole, and a request of others needs several of them. */
const TURN_MS = 1

const keyOf = (name: string) => tighten(fold(name))

/** Finds our cities in a carrier's list: by name within the state first, then as an address is read; never a mere likeness. */
export async function matchPlaces(catalogue: Catalogue, places: readonly ForeignPlace[]): Promise<Matched> {
  const matched = new Map<string, PlaceMatch>()
  const take = ({ id, name }: ForeignPlace, city: City | undefined) => {
    if (!city || matched.has(city.code)) return false
    return Boolean(matched.set(city.code, { cityCode: city.code, stateCode: city.stateCode, id, name }))
  }
  const pause = yieldEvery(TURN_MS)
  const unsure: ForeignPlace[] = []
  for (const place of places) {
    if (!take(place, namesake(catalogue, place))) unsure.push(place)
    await pause()
  }
  const theirs: ForeignPlace[] = []
  for (const [at, place] of unsure.entries()) {
    if (at >= READ_MAX || !take(place, likely(catalogue, place))) theirs.push(place)
    await pause()
  }
  const served = new Set(places.map(({ stateCode }) => stateCode))
  const ours = catalogue.cities.filter(({ code, stateCode }) => served.has(stateCode) && !matched.has(code))
  return { matched: [...matched.values()], theirs, ours: ours.map(({ code, stateCode, name }) => ({ cityCode: code, stateCode, name })) }
}

type Namesakes = ReadonlyMap<string, City | undefined>
const namesakes = new WeakMap<Catalogue, Namesakes>()

/** Undefined where two cities of one state are called so. */
function called({ cities }: Catalogue, names: (city: City) => readonly string[]): Namesakes {
  const found = new Map<string, City | undefined>()
  for (const city of cities)
    for (const name of names(city).filter((each) => each !== '')) {
      const key = `${city.stateCode} ${keyOf(name)}`
      found.set(key, found.has(key) && found.get(key) !== city ? undefined : city)
    }
  return found
}

/** A city's own names go before another name of its neighbour. */
function namesake(catalogue: Catalogue, { name, stateCode }: ForeignPlace): City | undefined {
  const known = namesakes.get(catalogue)
  const names =
    known ?? new Map([...called(catalogue, ({ otherNames }) => otherNames), ...called(catalogue, (city) => [city.name, city.nameAr])])
  if (!known) namesakes.set(catalogue, names)
  return names.get(`${stateCode} ${keyOf(name)}`)
}

function likely(catalogue: Catalogue, { name, stateCode }: ForeignPlace): City | undefined {
  if (stateCode === undefined) return undefined
  const found = resolverOf(catalogue).resolve({ state: stateCode, city: name })
  const isSure = found.stateCode === stateCode && found.cityCode && found.confidence >= SURE
  return isSure && found.cityCode ? placesOf(catalogue).cityOf(found.cityCode) : undefined
}

/** Which state of ours a carrier's state is: by its code, else by its name. One that was made since lies in its mother, where our cities are. */
export function stateCodeOf(
  catalogue: Catalogue,
  { code, name }: { readonly code?: string | undefined; readonly name: string },
): string | undefined {
  const places = placesOf(catalogue)
  const byCode = code ? findState(places, code) : undefined
  if (byCode) return byCode.carrierCode
  return stateNamed(places, name)?.carrierCode
}
