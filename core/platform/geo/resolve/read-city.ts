import { invariant } from '../../../lib/invariant.ts'
import type { AddressConventions, City } from '../catalogue/catalogue.ts'
import { type AddressReader, findNamed, listNumbers, SEPARATOR, wordRunsOf } from '../names/address-reader.ts'
import { fold } from '../names/fold.ts'
import { type MatchKind, type NameHit, type NameIndex, toQuery } from '../names/name-index.ts'
import type { IndexedCatalogue } from './places.ts'
import type { StateHit } from './read-state.ts'

/** City that a text may mean. */
export interface CityHit {
  readonly city: City
  readonly kind: MatchKind
  readonly similarity: number
}

const LEAST_ALIKE = 0.55
const LEAST_ALIKE_ANYWHERE = 0.72
const AS_CAPITAL = 0.92
const ONE_ERROR = 1.01

/** Finds the cities that a text may mean: by name, by similarity, by postal code or by number. */
export class CityReader {
  readonly #cities: readonly City[]
  readonly #index: NameIndex
  readonly #byCode = new Map<string, City>()
  readonly #byPost = new Map<string, City>()
  readonly #twinned = new Map<string, boolean>()
  readonly #writing: AddressReader
  readonly #digits: AddressConventions['digits']

  constructor({ catalogue, cityNames, writing }: IndexedCatalogue) {
    this.#writing = writing
    this.#digits = catalogue.conventions.digits
    this.#cities = catalogue.cities
    this.#index = cityNames
    for (const city of catalogue.cities) {
      this.#byCode.set(city.code, city)
      for (const code of city.postalCodes) this.#byPost.set(code, city)
    }
  }

  /** Finds cities by name. */
  findByName(text: string): CityHit[] {
    const best = new Map<string, CityHit>()
    this.#collect(best, findNamed(this.#index, this.#writing.readingsOf(text)), 1)
    return [...best.values()]
  }

  /** Finds cities with a similar name in some states. */
  findSimilar(text: string, stateCodes: Iterable<string>): CityHit[] {
    const best = new Map<string, CityHit>()
    for (const { query, weight } of this.#writing.readingsOf(text).slice(0, 6))
      for (const code of stateCodes) this.#collect(best, this.#index.findSimilar(query, LEAST_ALIKE, code).slice(0, 4), weight)
    return [...best.values()]
  }

  /** Finds cities with a similar name anywhere. */
  findSimilarAnywhere(text: string): CityHit[] {
    const best = new Map<string, CityHit>()
    for (const { query, weight } of this.#writing.readingsOf(text).slice(0, 2))
      this.#collect(best, this.#index.findSimilar(query, LEAST_ALIKE_ANYWHERE).slice(0, 8), weight)
    return [...best.values()]
  }

  /** Finds city names inside a longer text, such as an address. Longer names score higher. */
  findWithin(text: string, weight: number): CityHit[] {
    const best = new Map<string, CityHit>()
    for (const part of text.split(SEPARATOR)) {
      const folded = fold(part)
      for (const window of wordRunsOf(folded)) {
        const share = window.length / folded.length
        this.#collect(best, this.#index.findEqual(toQuery(window, window)), weight * (0.85 + 0.15 * share))
      }
    }
    return [...best.values()]
  }

  /** Returns the capitals of states, since people who write the state's name as the city mostly mean its capital. */
  listCapitals(hits: readonly StateHit[]): CityHit[] {
    return hits.flatMap(({ state, similarity }): CityHit[] => {
      const city = state.capitalCode === null ? undefined : this.#byCode.get(state.capitalCode)
      return city ? [{ city, kind: 'alias', similarity: similarity * AS_CAPITAL }] : []
    })
  }

  /** Finds cities by postal code or city number. A code that ends in 000 often stands for the whole state. */
  findByCode(text: string): CityHit[] {
    return listNumbers(text).flatMap((number): CityHit[] => {
      const { post, city: own } = this.#digits
      const city = number.length === post ? this.#byPost.get(number) : number.length === own ? this.#findByNumber(number) : undefined
      if (!city) return []
      return [{ city, kind: 'code', similarity: number.endsWith('000') ? 0.75 : 0.93 }]
    })
  }

  #findByNumber(number: string): City | undefined {
    return this.#byCode.get(number) ?? this.#byCode.get(String(Number(number)))
  }

  /** Returns true if one typing error makes the name that of another city in the state, or in the country if no state was given. */
  hasTwin(city: City, stateCode?: string): boolean {
    const key = `${city.code}/${stateCode ?? ''}`
    const known = this.#twinned.get(key)
    if (known !== undefined) return known
    const twinned = [city.name, city.nameAr]
      .map((name) => toQuery(name))
      .some((query) => {
        const rivals = this.#index.findSimilar(query, 1 - ONE_ERROR / query.bare.length, stateCode)
        return rivals.some((hit) => hit.cost <= ONE_ERROR && this.#cities[hit.id] !== city)
      })
    this.#twinned.set(key, twinned)
    return twinned
  }

  #collect(best: Map<string, CityHit>, hits: readonly NameHit[], weight: number): void {
    for (const hit of hits) {
      const city = invariant(this.#cities[hit.id], 'A city that is indexed')
      const similarity = hit.similarity * weight
      if (similarity > (best.get(city.code)?.similarity ?? 0)) best.set(city.code, { city, kind: hit.kind, similarity })
    }
  }
}
