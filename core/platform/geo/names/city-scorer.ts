import type { Catalogue, City, State } from '../catalogue/catalogue.ts'
import type { CityHit } from '../resolve/read-city.ts'
import type { StateHit } from '../resolve/read-state.ts'
import { distanceKm } from '../shapes/earth.ts'

/** Relation of a city to the state that was written with it. */
export type Relation = 'inside' | 'kin' | 'near' | 'far' | 'unsaid'

/** City match with its state match and score. */
export interface ScoredCity {
  readonly hit: CityHit
  readonly stateHit: StateHit | null
  readonly relation: Relation
  readonly score: number
}

const NEAR_KM = 30
const CACHE_MAX = 5_000
/** Weight of a city by its relation to the state. People often name a neighbouring state, but rarely a distant one. */
const AGREEMENT: Readonly<Record<Relation, number>> = { inside: 1, kin: 0.9, near: 0.5, far: 0.3, unsaid: 0.6 }
/** Exponent of similarity: half a name is worth much less than half. */
const SHARPNESS = 3

/** Builds the function that scores city matches against state matches, best first. */
export function cityScorer(catalogue: Catalogue): (hits: readonly CityHit[], states: readonly StateHit[]) => ScoredCity[] {
  const cities = Map.groupBy(catalogue.cities, (city) => city.stateCode)
  const mothers = new Map(catalogue.states.map((state) => [state.code, state.parentCode]))

  const known = new Map<string, Relation>()
  const relate = (city: City, state: State): Relation => {
    const key = `${city.code}/${state.code}`
    const relation = known.get(key) ?? computeRelation(city, state)
    if (known.size >= CACHE_MAX) known.clear()
    known.set(key, relation)
    return relation
  }

  const computeRelation = (city: City, state: State): Relation => {
    if (city.stateCode === state.carrierCode) {
      return state.code === state.carrierCode || city.currentStateCode === state.code ? 'inside' : 'kin'
    }
    if (mothers.get(city.stateCode) === state.carrierCode || mothers.get(state.carrierCode) === city.stateCode) return 'kin'
    const neighbours = cities.get(state.carrierCode) ?? []
    return neighbours.some((other) => distanceKm(other, city) < NEAR_KM) ? 'near' : 'far'
  }

  const weigh = (hit: CityHit, states: readonly StateHit[]): ScoredCity => {
    const likeness = hit.similarity ** SHARPNESS
    let best: ScoredCity = {
      hit,
      stateHit: null,
      relation: 'unsaid',
      score: states.length > 0 ? 0 : likeness * AGREEMENT.unsaid,
    }
    for (const stateHit of states) {
      const relation = relate(hit.city, stateHit.state)
      const score = likeness * AGREEMENT[relation] * stateHit.similarity
      if (score > best.score) best = { hit, stateHit, relation, score }
    }
    return best
  }

  return (hits, states) => {
    const best = new Map<string, ScoredCity>()
    for (const hit of hits) {
      const weighed = weigh(hit, states)
      if (weighed.score > (best.get(hit.city.code)?.score ?? 0)) best.set(hit.city.code, weighed)
    }
    return [...best.values()].sort((a, b) => b.score - a.score)
  }
}
