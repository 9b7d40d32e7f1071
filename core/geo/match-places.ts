import { algeria, type City } from './catalogue.ts'
import { fold, tighten } from './fold.ts'
import type { ForeignPlace, Matched, PlaceMatch } from './match-places.model.ts'
import { resolverOf } from './resolve.ts'

/** Sure enough to send a parcel there. */
const SURE = 0.9
/** Places matched before others get their turn. */
const AT_ONCE = 100

const keyOf = (name: string) => tighten(fold(name))

/** Finds our communes in a carrier's list: by name within the wilaya first, then as an address is read; never a mere likeness. */
export async function matchPlaces(places: readonly ForeignPlace[]): Promise<Matched> {
  const matched = new Map<string, PlaceMatch>()
  const take = ({ id, name }: ForeignPlace, city: City | undefined) => {
    if (!city || matched.has(city.code)) return false
    return Boolean(matched.set(city.code, { cityCode: city.code, stateCode: city.stateCode, id, name }))
  }
  const unsure = places.filter((place) => !take(place, namesake(place)))
  const theirs: ForeignPlace[] = []
  for (const [at, place] of unsure.entries()) {
    if (at % AT_ONCE === 0) await Bun.sleep(0)
    if (!take(place, likely(place))) theirs.push(place)
  }
  const served = new Set(places.map(({ stateCode }) => stateCode))
  const ours = algeria.cities.filter(({ code, stateCode }) => served.has(stateCode) && !matched.has(code))
  return { matched: [...matched.values()], theirs, ours: ours.map(({ code, stateCode, name }) => ({ cityCode: code, stateCode, name })) }
}

let namesakes: ReadonlyMap<string, City> | undefined

function namesake({ name, stateCode }: ForeignPlace): City | undefined {
  const named = (names: (city: City) => readonly string[]) =>
    algeria.cities.flatMap((city) => names(city).map((each) => [`${city.stateCode} ${keyOf(each)}`, city] as const))
  // A commune's own name goes before another name of its neighbour.
  namesakes ??= new Map([...named(({ otherNames }) => otherNames), ...named((city) => [city.name])])
  return namesakes.get(`${stateCode} ${keyOf(name)}`)
}

const byCode = new Map(algeria.cities.map((city) => [city.code, city]))

function likely({ name, stateCode }: ForeignPlace): City | undefined {
  if (stateCode === undefined) return undefined
  const found = resolverOf(algeria).resolve({ country: 'DZ', state: stateCode, city: name })
  return found.stateCode === stateCode && found.cityCode && found.confidence >= SURE ? byCode.get(found.cityCode) : undefined
}

/** Which wilaya of ours a carrier's state is: by its code, else by its name. */
export function stateCodeOf({ code, name }: { readonly code?: string; readonly name: string }): string | undefined {
  const byNumber = code && algeria.states.find((state) => Number(state.code) === Number(code))
  if (byNumber) return byNumber.code
  const wanted = keyOf(name)
  return algeria.states.find((state) => [state.name, state.nameAr, ...state.otherNames].some((each) => keyOf(each) === wanted))?.code
}
