import { yieldEvery } from '../../../lib/async/yield-every.ts'
import { invariant } from '../../../lib/invariant.ts'
import { countryCalled, findCatalogue } from '../catalogue/atlas.ts'
import type { Catalogue, City } from '../catalogue/catalogue.ts'
import { confidenceOf, round, stateOnlyConfidence } from '../names/confidence.ts'
import type { Kind } from '../names/name-index.ts'
import type { Weighed } from '../names/weigh.ts'
import { type Interpretation, Interpreter } from './interpret.ts'
import { type Places, placesOf } from './places.ts'

export interface Written {
  readonly country?: string | null | undefined
  readonly state?: string | null | undefined
  readonly city?: string | null | undefined
  readonly address?: string | null | undefined
}

export interface Candidate {
  stateCode: string
  stateName: string
  cityCode: string
  cityName: string
  confidence: number
}

export interface Resolved {
  stateCode: string | null
  stateName: string | null
  cityCode: string | null
  cityName: string | null
  method: Kind | 'none'
  confidence: number
  candidates: Candidate[]
  /** The state since borders were drawn anew, where it is another. */
  currentStateCode?: string
}

export interface Resolver {
  resolve(written: Written): Resolved
}

const CANDIDATES = 5
const LEAST_SCORE = 0.06
const LEAST_LIKE_STATE = 0.65
const FAITHFUL: readonly Kind[] = ['exact', 'folded', 'alias', 'code', 'fuzzy']

const made = new WeakMap<Catalogue, Resolver>()

/** The resolver of a catalogue, made at its first use. */
export function resolverOf(catalogue: Catalogue): Resolver {
  const resolver = made.get(catalogue) ?? buildResolver(catalogue)
  made.set(catalogue, resolver)
  return resolver
}

/** What people type becomes a state and a city, and how sure that is. Pure, and never throws. */
export function buildResolver(catalogue: Catalogue): Resolver {
  const places = placesOf(catalogue)
  const interpreter = new Interpreter(places)
  return {
    resolve({ country, state, city, address }) {
      if (country?.trim() && countryCalled(country)?.country !== catalogue.country) return unresolved()
      const clean = (text: string | null | undefined) => places.writing.clean(text)
      const read = interpreter.interpret({ state: clean(state), city: clean(city), address: clean(address) })
      const best = read.ranked[0]
      if (!best || best.score < LEAST_SCORE) return stateOnly(places, read)
      return answer(places, read, best, read.indirect || interpreter.isConfusable(best))
    },
  }
}

/** An address of any country that is known; of `home` where it names none. */
export function resolveIn(home: string, written: Written): Resolved {
  const catalogue = written.country?.trim() ? countryCalled(written.country) : findCatalogue(home)
  return catalogue ? resolverOf(catalogue).resolve(written) : unresolved()
}

/** Resolves many addresses, letting other work run in between. Ends with the reason of `signal` once that is aborted. */
export async function resolveMany(home: string, rows: readonly Written[], signal?: AbortSignal): Promise<Resolved[]> {
  const resolved: Resolved[] = []
  const breathe = yieldEvery(undefined, signal)
  for (const row of rows) {
    await breathe()
    resolved.push(resolveIn(home, row))
  }
  return resolved
}

function answer(places: Places, { ranked }: Interpretation, best: Weighed, doubted: boolean): Resolved {
  const { city } = best.hit
  const confidence = confidenceOf(best, ranked[1], doubted)
  return {
    ...nameOf(places, city),
    method: methodOf(best),
    confidence,
    candidates: ranked
      .slice(0, CANDIDATES)
      .map(({ hit, score }) => ({ ...nameOf(places, hit.city), confidence: round((confidence * score) / best.score) })),
    ...(city.currentStateCode === city.stateCode ? {} : { currentStateCode: city.currentStateCode }),
  }
}

function stateOnly(places: Places, { states, ranked, citySilent }: Interpretation): Resolved {
  const best = states[0]
  if (!best || best.similarity < LEAST_LIKE_STATE) return unresolved()
  const state = invariant(places.stateOf(best.state.carrierCode), 'The state that carriers know')
  return {
    stateCode: state.code,
    stateName: state.name,
    cityCode: null,
    cityName: null,
    method: best.kind,
    confidence: stateOnlyConfidence(best, states[1], citySilent),
    candidates: ranked.slice(0, CANDIDATES).map(({ hit, score }) => ({ ...nameOf(places, hit.city), confidence: round(score) })),
    ...(best.state === state ? {} : { currentStateCode: best.state.code }),
  }
}

function nameOf(places: Places, city: City): Omit<Candidate, 'confidence'> {
  return {
    stateCode: city.stateCode,
    stateName: invariant(places.stateOf(city.stateCode), 'The state of a city').name,
    cityCode: city.code,
    cityName: city.name,
  }
}

/** The less faithful of the two ways in which state and city were found; a code beside a city is as good as a name. */
function methodOf({ hit, stateHit }: Weighed): Kind {
  if (!stateHit || stateHit.kind === 'code') return hit.kind
  return FAITHFUL.indexOf(stateHit.kind) > FAITHFUL.indexOf(hit.kind) ? stateHit.kind : hit.kind
}

function unresolved(): Resolved {
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
