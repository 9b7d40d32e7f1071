import type { AddressConventions, State } from '../catalogue/catalogue.ts'
import { type AddressReader, listNumbers, SEPARATOR } from '../names/address-reader.ts'
import { cityScorer, type ScoredCity } from '../names/city-scorer.ts'
import { fold } from '../names/fold.ts'
import type { IndexedCatalogue } from './places.ts'
import { type CityHit, CityReader } from './read-city.ts'
import { buildStateReader, type StateHit, type StateReader } from './read-state.ts'

/** Cleaned texts of an address. */
export interface AddressTexts {
  readonly state: string
  readonly city: string
  readonly address: string
}

/** Interpretation of an address. */
export interface Interpretation {
  readonly states: readonly StateHit[]
  /** Cities, best first. */
  readonly ranked: readonly ScoredCity[]
  readonly isCityEmpty: boolean
  /** True if the place was read from the address or from a misspelt word in another column. */
  readonly isIndirect: boolean
}

/** Score thresholds. Below each, the interpreter tries more: swapped columns, a wider search, the address. */
const CLEAR = 0.8
const DOUBTFUL = 0.62
const WEAK = 0.5
const DIM = 0.35
/** Similarity from which a text is taken to name a state. */
const READABLE = 0.75
const SWAPPED_WEIGHT = 0.95
const BESIDE_STATE_WEIGHT = 0.97
const AMONG_WORDS_WEIGHT = 0.9
const IN_ADDRESS_WEIGHT = 0.93

/** Interprets the columns of an address as a state and cities. */
export class Interpreter {
  readonly #states: StateReader
  readonly #cities: CityReader
  readonly #weigh: (hits: readonly CityHit[], states: readonly StateHit[]) => ScoredCity[]
  readonly #children: ReadonlyMap<string | null, readonly State[]>
  readonly #writing: AddressReader
  readonly #digits: AddressConventions['digits']

  constructor(places: IndexedCatalogue) {
    this.#writing = places.writing
    this.#digits = places.catalogue.conventions.digits
    this.#states = buildStateReader(places)
    this.#cities = new CityReader(places)
    this.#weigh = cityScorer(places.catalogue)
    this.#children = Map.groupBy(places.catalogue.states, (state) => state.parentCode)
  }

  /** Interprets an address. Tries swapped columns if the result is doubtful. */
  interpret(texts: AddressTexts): Interpretation {
    const straight = this.#read(texts)
    const first = straight.ranked[0]
    const isClear = first && first.relation === 'inside' && first.score >= DOUBTFUL
    if (isClear && (straight.states[0]?.kind !== 'fuzzy' || !this.#stateAlone(texts.city))) return straight
    return this.#readSwapped(straight, texts) ?? straight
  }

  /** Returns true if one typing error turns the city's name into another likely one. */
  isConfusable({ hit, relation }: ScoredCity): boolean {
    return this.#cities.hasTwin(hit.city, relation === 'unsaid' ? undefined : hit.city.stateCode)
  }

  #read({ state, city, address }: AddressTexts): Interpretation {
    const states = this.#states.read(state)
    const citySilent = this.#writing.wordsIn(city) === '' && listNumbers(city).length === 0
    const split = citySilent ? { rest: this.#remainder(state, states), states: [] } : this.#splitState(city)
    const known = [...states, ...split.states]
    const likelyStates = known.length > 0 ? known : this.#statesOfAddress(address)
    const ranked = this.#readCity(split.rest, likelyStates)
    const found = scoreOf(ranked) < DIM && address !== '' ? this.#readAddress(address, likelyStates) : []
    if (scoreOf(found) > scoreOf(ranked)) return { states: likelyStates, ranked: found, isCityEmpty: citySilent, isIndirect: true }
    return { states: likelyStates, ranked, isCityEmpty: citySilent, isIndirect: false }
  }

  #readCity(text: string, states: readonly StateHit[]): ScoredCity[] {
    if (text.trim() === '') return []
    const cities = this.#cities
    const hits = [...cities.findByName(text), ...cities.findByCode(text), ...cities.listCapitals(this.#states.findByName(text))]
    const named = this.#weigh(hits, states)
    if (scoreOf(named) >= CLEAR) return named
    const besideState = cities
      .findByName(this.#remainder(text, states))
      .map((hit) => ({ ...hit, similarity: hit.similarity * BESIDE_STATE_WEIGHT }))
    hits.push(...besideState, ...cities.findSimilar(text, this.#territory(states)))
    const alike = this.#weigh(hits, states)
    if (scoreOf(alike) >= WEAK) return alike
    return this.#weigh([...hits, ...cities.findWithin(text, AMONG_WORDS_WEIGHT), ...cities.findSimilarAnywhere(text)], states)
  }

  /** Reads the city from the address. The last part often names the state, and counts as a city only if nothing else does. */
  #readAddress(address: string, states: readonly StateHit[]): ScoredCity[] {
    const { rest } = this.#splitState(address)
    const found = this.#weigh([...this.#cities.findWithin(rest, IN_ADDRESS_WEIGHT), ...this.#cities.findByCode(address)], states)
    return scoreOf(found) < DIM ? this.#weigh(this.#cities.findWithin(address, IN_ADDRESS_WEIGHT), states) : found
  }

  #statesOfAddress(address: string): StateHit[] {
    const last = address.split(/[,،\n]/).at(-1) ?? ''
    return this.#states
      .read(last)
      .filter(
        (hit) => hit.kind !== 'fuzzy' && (hit.kind !== 'code' || listNumbers(last).some((number) => number.length === this.#digits.post)),
      )
      .map((hit) => ({ ...hit, similarity: hit.similarity * 0.9 }))
  }

  /** Splits off a state that is written in the city's column, as in "El Marsa, Alger". */
  #splitState(text: string): { rest: string; states: StateHit[] } {
    const parts = text
      .split(SEPARATOR)
      .filter((part) => this.#writing.wordsIn(part).length > 1)
      .map((part) => ({ part, named: this.#states.findByName(part) }))
    const rest = parts.filter(({ named }) => named.length === 0).map(({ part }) => part)
    if (rest.length === 0 || rest.length === parts.length) return { rest: text, states: [] }
    const states = parts.flatMap(({ named }) => named).map((hit) => ({ ...hit, similarity: hit.similarity * 0.95 }))
    return { rest: rest.join(', '), states }
  }

  /** Interprets the columns as swapped. Null unless the second one names a state. */
  #readSwapped(straight: Interpretation, { state, city, address }: AddressTexts): Interpretation | null {
    const unread = (straight.states[0]?.similarity ?? 0) < READABLE
    const named = this.#stateAlone(city)
    const likely = straight.isCityEmpty ? unread : named && (named.kind !== 'fuzzy' || unread)
    if (state.trim() === '' || !likely) return null
    const swapped = this.#read({ state: city, city: state, address })
    const [there, here] = [swapped.ranked[0], straight.ranked[0]]
    if (!there) return null
    const result = { ...swapped, isIndirect: swapped.isIndirect || there.hit.kind === 'fuzzy' }
    if (!here || (straight.isCityEmpty && there.score > here.score)) return result
    if (there.relation !== 'inside') return null
    // Prefers the swap if the first column fits a city better than a state, in the state that the second names.
    const better = there.hit.similarity > (straight.states[0]?.similarity ?? 0) + 0.03
    if (better && there.hit.similarity >= 0.6 && named?.kind !== 'fuzzy') return result
    return there.score * SWAPPED_WEIGHT > here.score ? result : null
  }

  /** Returns the state that the city's column names alone; undefined if there is none. */
  #stateAlone(city: string): StateHit | undefined {
    const hit = this.#states.read(city)[0]
    if (!hit || hit.similarity < READABLE || this.#splitState(city).states.length > 0) return undefined
    return hit.kind === 'code' && listNumbers(city).some((number) => number.length > this.#digits.state) ? undefined : hit
  }

  /** Returns the states in which to search for a misspelt city: the likely ones and those split from them. */
  #territory(states: readonly StateHit[]): Set<string> {
    const least = (states[0]?.similarity ?? 0) - 0.25
    const codes = states.filter((hit) => hit.similarity >= least).map((hit) => hit.state.carrierCode)
    return new Set(codes.flatMap((code) => [code, ...(this.#children.get(code) ?? []).map((state) => state.code)]))
  }

  /** Returns the words of a text without the state's name, as in "Alger Bab Ezzouar". All words if it names no state by name. */
  #remainder(text: string, states: readonly StateHit[]): string {
    const words = this.#writing.wordsIn(text)
    const state = states[0]
    if (!state || state.kind === 'code') return words
    const names = [state.state.name, state.state.nameAr, ...state.state.otherNames].map(fold)
    const rest = names
      .sort((a, b) => b.length - a.length)
      .reduce((left, name) => left.replace(` ${name} `, ' '), ` ${words} `)
      .trim()
    return rest === words || rest.length < 3 ? '' : rest
  }
}

const scoreOf = (ranked: readonly ScoredCity[]) => ranked[0]?.score ?? 0
