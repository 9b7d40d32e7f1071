import { yieldEvery } from '../../../lib/async/yield-every.ts'
import { invariant } from '../../../lib/invariant.ts'
import type { Catalogue, City } from '../catalogue/catalogue.ts'
import { findCatalogue, findCountryByName } from '../catalogue/catalogues.ts'
import type { ScoredCity } from '../names/city-scorer.ts'
import { confidenceOf, roundScore, stateOnlyConfidence } from '../names/confidence.ts'
import type { MatchKind } from '../names/name-index.ts'
import { type Interpretation, Interpreter } from './interpret.ts'
import { type IndexedCatalogue, indexedCatalogueOf } from './places.ts'

/** Address as it was typed. */
export interface TypedAddress {
  readonly country?: string | null | undefined
  readonly state?: string | null | undefined
  readonly city?: string | null | undefined
  readonly address?: string | null | undefined
}

/** Place that an address may mean. */
export interface Candidate {
  stateCode: string
  stateName: string
  cityCode: string
  cityName: string
  confidence: number
}

/** Resolved address, with the confidence from 0 to 1. */
export interface ResolvedPlace {
  stateCode: string | null
  stateName: string | null
  cityCode: string | null
  cityName: string | null
  method: MatchKind | 'none'
  confidence: number
  candidates: Candidate[]
  /** Code of the state since the last border change, if it differs. */
  currentStateCode?: string
}

/** Resolver of a country's addresses. */
export interface Resolver {
  resolve(written: TypedAddress): ResolvedPlace
}

const CANDIDATES = 5
const LEAST_SCORE = 0.06
const LEAST_LIKE_STATE = 0.65
const FAITHFUL: readonly MatchKind[] = ['exact', 'folded', 'alias', 'code', 'fuzzy']

const cache = new WeakMap<Catalogue, Resolver>()

/** Returns the resolver of a catalogue. Builds it at first use. */
export function resolverOf(catalogue: Catalogue): Resolver {
  const resolver = cache.get(catalogue) ?? buildResolver(catalogue)
  cache.set(catalogue, resolver)
  return resolver
}

/** Builds a resolver that turns a typed address into a state and a city with a confidence. It has no side effects and never throws. */
export function buildResolver(catalogue: Catalogue): Resolver {
  const places = indexedCatalogueOf(catalogue)
  const interpreter = new Interpreter(places)
  return {
    resolve({ country, state, city, address }) {
      if (country?.trim() && findCountryByName(country)?.country !== catalogue.country) return unresolved()
      const clean = (text: string | null | undefined) => places.writing.clean(text)
      const read = interpreter.interpret({ state: clean(state), city: clean(city), address: clean(address) })
      const best = read.ranked[0]
      if (!best || best.score < LEAST_SCORE) return stateOnly(places, read)
      return answer(places, read, best, { isDoubtful: read.isIndirect || interpreter.isConfusable(best) })
    },
  }
}

/** Resolves an address of any known country; of `home` if it names none. */
export function resolveWithDefault(home: string, written: TypedAddress): ResolvedPlace {
  const catalogue = written.country?.trim() ? findCountryByName(written.country) : findCatalogue(home)
  return catalogue ? resolverOf(catalogue).resolve(written) : unresolved()
}

/** Resolves many addresses and lets other work run in between. Throws the reason of `signal` once it is aborted. */
export async function resolveMany(home: string, rows: readonly TypedAddress[], signal?: AbortSignal): Promise<ResolvedPlace[]> {
  const resolved: ResolvedPlace[] = []
  const yieldSlice = yieldEvery(undefined, signal)
  for (const row of rows) {
    await yieldSlice()
    resolved.push(resolveWithDefault(home, row))
  }
  return resolved
}

function answer(
  places: IndexedCatalogue,
  { ranked }: Interpretation,
  best: ScoredCity,
  { isDoubtful }: { readonly isDoubtful: boolean },
): ResolvedPlace {
  const { city } = best.hit
  const confidence = confidenceOf(best, ranked[1], { doubted: isDoubtful })
  return {
    ...nameOf(places, city),
    method: methodOf(best),
    confidence,
    candidates: ranked
      .slice(0, CANDIDATES)
      .map(({ hit, score }) => ({ ...nameOf(places, hit.city), confidence: roundScore((confidence * score) / best.score) })),
    ...(city.currentStateCode === city.stateCode ? {} : { currentStateCode: city.currentStateCode }),
  }
}

function stateOnly(places: IndexedCatalogue, { states, ranked, isCityEmpty: citySilent }: Interpretation): ResolvedPlace {
  const best = states[0]
  if (!best || best.similarity < LEAST_LIKE_STATE) return unresolved()
  const state = invariant(places.stateOf(best.state.carrierCode), 'The state that carriers know')
  return {
    stateCode: state.code,
    stateName: state.name,
    cityCode: null,
    cityName: null,
    method: best.kind,
    confidence: stateOnlyConfidence(best, states[1], { citySilent }),
    candidates: ranked.slice(0, CANDIDATES).map(({ hit, score }) => ({ ...nameOf(places, hit.city), confidence: roundScore(score) })),
    ...(best.state === state ? {} : { currentStateCode: best.state.code }),
  }
}

function nameOf(places: IndexedCatalogue, city: City): Omit<Candidate, 'confidence'> {
  return {
    stateCode: city.stateCode,
    stateName: invariant(places.stateOf(city.stateCode), 'The state of a city').name,
    cityCode: city.code,
    cityName: city.name,
  }
}

/** Returns the less faithful method of state and city. A code beside a city counts as a name. */
function methodOf({ hit, stateHit }: ScoredCity): MatchKind {
  if (!stateHit || stateHit.kind === 'code') return hit.kind
  return FAITHFUL.indexOf(stateHit.kind) > FAITHFUL.indexOf(hit.kind) ? stateHit.kind : hit.kind
}

function unresolved(): ResolvedPlace {
  return {
    stateCode: null,
    stateName: null,
    cityCode: null,
    cityName: null,
    method: 'none',
    confidence: 0,
    candidates: [],
  }
}
