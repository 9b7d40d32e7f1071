import { breather } from '../../lib/breather.ts'
import { algeria, type City } from './catalogue.ts'
import { fold, tighten } from './fold.ts'
import type { ForeignPlace, Matched, PlaceMatch } from './match-places.model.ts'
import { resolverOf } from './resolve.ts'

/** Sure enough to send a parcel there. */
const SURE = 0.9
/** There are no more communes: places beyond are not read as an address is, which takes milliseconds each. */
const READ_MAX = 1_600
/** Short, since each turn ends with one place read whole, and a request of others needs several of them. */
const TURN_MS = 1

const keyOf = (name: string) => tighten(fold(name))

/** Finds our communes in a carrier's list: by name within the wilaya first, then as an address is read; never a mere likeness. */
export async function matchPlaces(places: readonly ForeignPlace[]): Promise<Matched> {
  const matched = new Map<string, PlaceMatch>()
  const take = ({ id, name }: ForeignPlace, city: City | undefined) => {
    if (!city || matched.has(city.code)) return false
    return Boolean(matched.set(city.code, { cityCode: city.code, stateCode: city.stateCode, id, name }))
  }
  const pause = breather(TURN_MS)
  const unsure: ForeignPlace[] = []
  for (const place of places) {
    if (!take(place, namesake(place))) unsure.push(place)
    await pause()
  }
  const theirs: ForeignPlace[] = []
  for (const [at, place] of unsure.entries()) {
    if (at >= READ_MAX || !take(place, likely(place))) theirs.push(place)
    await pause()
  }
  const served = new Set(places.map(({ stateCode }) => stateCode))
  const ours = algeria.cities.filter(({ code, stateCode }) => served.has(stateCode) && !matched.has(code))
  return { matched: [...matched.values()], theirs, ours: ours.map(({ code, stateCode, name }) => ({ cityCode: code, stateCode, name })) }
}

type Namesakes = ReadonlyMap<string, City | undefined>
let namesakes: Namesakes | undefined

/** Undefined where two communes of one wilaya are called so. */
function called(names: (city: City) => readonly string[]): Namesakes {
  const found = new Map<string, City | undefined>()
  for (const city of algeria.cities)
    for (const name of names(city)) {
      const key = `${city.stateCode} ${keyOf(name)}`
      found.set(key, found.has(key) && found.get(key) !== city ? undefined : city)
    }
  return found
}

/** A commune's own names go before another name of its neighbour. */
function namesake({ name, stateCode }: ForeignPlace): City | undefined {
  namesakes ??= new Map([...called(({ otherNames }) => otherNames), ...called((city) => [city.name, city.nameAr])])
  return namesakes.get(`${stateCode} ${keyOf(name)}`)
}

const byCode = new Map(algeria.cities.map((city) => [city.code, city]))

function likely({ name, stateCode }: ForeignPlace): City | undefined {
  if (stateCode === undefined) return undefined
  const found = resolverOf(algeria).resolve({ country: 'DZ', state: stateCode, city: name })
  return found.stateCode === stateCode && found.cityCode && found.confidence >= SURE ? byCode.get(found.cityCode) : undefined
}

const wilayas = [...algeria.states, ...algeria.newStates]

/** Which wilaya of ours a carrier's state is: by its code, else by its name. One that was made since lies in its mother, where our communes are. */
export function stateCodeOf({ code, name }: { readonly code?: string; readonly name: string }): string | undefined {
  const byNumber = code && wilayas.find((state) => Number(state.code) === Number(code))
  if (byNumber) return byNumber.carrierCode
  const wanted = keyOf(name)
  return wilayas.find((state) => [state.name, state.nameAr, ...state.otherNames].some((each) => keyOf(each) === wanted))?.carrierCode
}
