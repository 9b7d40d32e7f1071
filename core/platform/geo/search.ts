import { known } from '../../lib/known.ts'
import type { Catalogue } from './catalogue.ts'
import { round } from './confidence.ts'
import { type NameIndex, toQuery } from './name-index.ts'
import { placesOf } from './places.ts'

export interface Found {
  kind: 'state' | 'city'
  stateCode: string
  stateName: string
  cityCode: string | null
  cityName: string | null
  nameAr: string
  score: number
}

const LEAST_ALIKE = 0.62
/** A name that only begins so ranks by how much of it was typed, between likeness and equality. */
const PREFIX_FLOOR = 0.75

/** Wilayas and communes whose names begin with, contain as a word or resemble what was typed; best first. */
export function search(catalogue: Catalogue, text: string, limit: number): Found[] {
  const places = placesOf(catalogue)
  const states = scores(places.stateNames, text).map(([id, score]): Found => {
    const state = known(places.states[id], 'A wilaya that is indexed')
    return {
      kind: 'state',
      stateCode: state.code,
      stateName: state.name,
      cityCode: null,
      cityName: null,
      nameAr: state.nameAr,
      score,
    }
  })
  const cities = scores(places.cityNames, text).map(([id, score]): Found => {
    const city = known(catalogue.cities[id], 'A commune that is indexed')
    const stateName = known(places.stateOf(city.stateCode), 'The wilaya of a commune').name
    return {
      kind: 'city',
      stateCode: city.stateCode,
      stateName,
      cityCode: city.code,
      cityName: city.name,
      nameAr: city.nameAr,
      score,
    }
  })
  return [...states, ...cities]
    .sort((a, b) => b.score - a.score || rank(a) - rank(b) || nameOf(a).localeCompare(nameOf(b), 'fr'))
    .slice(0, limit)
}

const rank = ({ kind }: Found) => (kind === 'state' ? 0 : 1)
const nameOf = (found: Found) => found.cityName ?? found.stateName

function scores(index: NameIndex, text: string): [number, number][] {
  const query = toQuery(text)
  const best = new Map<number, number>()
  const raise = (id: number, score: number) => best.set(id, round(Math.max(score, best.get(id) ?? 0)))
  for (const hit of index.same(query)) raise(hit.id, hit.similarity)
  for (const { id, share } of index.startingWith(query)) raise(id, PREFIX_FLOOR + 0.2 * share)
  if (query.bare.length > 2) for (const hit of index.like(query, LEAST_ALIKE)) raise(hit.id, hit.similarity * 0.95)
  return [...best]
}
