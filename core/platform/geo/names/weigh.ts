import type { Catalogue, City, State } from '../catalogue/catalogue.ts'
import type { CityHit } from '../resolve/read-city.ts'
import type { StateHit } from '../resolve/read-state.ts'
import { distanceKm } from '../shapes/earth.ts'

/** How a city and the state that was written beside it stand to each other. */
export type Relation = 'inside' | 'kin' | 'near' | 'far' | 'unsaid'

export interface Weighed {
  readonly hit: CityHit
  readonly stateHit: StateHit | null
  readonly relation: Relation
  readonly score: number
}

const NEAR_KM = 30
const REMEMBERED = 5_000
/** How much a city counts beside a state it is not in: people mistake the neighbour's, seldom one far off. */
const AGREEMENT: Readonly<Record<Relation, number>> = { inside: 1, kin: 0.9, near: 0.5, far: 0.3, unsaid: 0.6 }
/** Sharpens likeness: half a name is much less than half an answer. */
const SHARPNESS = 3

export function buildScale(catalogue: Catalogue): (hits: readonly CityHit[], states: readonly StateHit[]) => Weighed[] {
  const cities = Map.groupBy(catalogue.cities, (city) => city.stateCode)
  const mothers = new Map(catalogue.states.map((state) => [state.code, state.motherCode]))

  const known = new Map<string, Relation>()
  const relate = (city: City, state: State): Relation => {
    const key = `${city.code}/${state.code}`
    const relation = known.get(key) ?? measure(city, state)
    if (known.size >= REMEMBERED) known.clear()
    known.set(key, relation)
    return relation
  }

  const measure = (city: City, state: State): Relation => {
    if (city.stateCode === state.carrierCode) {
      return state.code === state.carrierCode || city.currentStateCode === state.code ? 'inside' : 'kin'
    }
    if (mothers.get(city.stateCode) === state.carrierCode || mothers.get(state.carrierCode) === city.stateCode) return 'kin'
    const neighbours = cities.get(state.carrierCode) ?? []
    return neighbours.some((other) => distanceKm(other, city) < NEAR_KM) ? 'near' : 'far'
  }

  const weigh = (hit: CityHit, states: readonly StateHit[]): Weighed => {
    const likeness = hit.similarity ** SHARPNESS
    let best: Weighed = {
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
    const best = new Map<string, Weighed>()
    for (const hit of hits) {
      const weighed = weigh(hit, states)
      if (weighed.score > (best.get(hit.city.code)?.score ?? 0)) best.set(hit.city.code, weighed)
    }
    return [...best.values()].sort((a, b) => b.score - a.score)
  }
}
