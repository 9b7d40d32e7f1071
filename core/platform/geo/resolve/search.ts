import { invariant } from '../../../lib/invariant.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { roundScore } from '../names/confidence.ts'
import { type NameIndex, toQuery } from '../names/name-index.ts'
import { indexedCatalogueOf } from './places.ts'

/** State or city found by {@link searchPlaces}. */
export interface FoundPlace {
  kind: 'state' | 'city'
  stateCode: string
  stateName: string
  cityCode: string | null
  cityName: string | null
  nameAr: string
  score: number
}

const LEAST_ALIKE = 0.62
/** Lowest score of a prefix match. It rises with the typed fraction, between similar and equal names. */
const PREFIX_FLOOR = 0.75
/** Score of a name whose start only sounds like the query. */
const SOUND_SCORE = 0.72
/** Score of a name that starts with the typed article. Above equal names without it. */
const WITH_ARTICLE = 0.975
/** Maximum names of a country that one keystroke compares. The most common first letter of the largest catalogues has fewer. */
const COMPARED_MAX = 5_000
/** Names whose similarity is computed if there are too few prefix matches: those that share the most letters. */
const MEASURED_MAX = 150
const collator = new Intl.Collator('fr')

type Scored = readonly [id: number, score: number]

/** Finds states and cities whose name starts with the query, has a word that does, or is similar. Best first. */
export async function searchPlaces(catalogue: Catalogue, text: string, limit: number): Promise<FoundPlace[]> {
  const places = indexedCatalogueOf(catalogue)
  const states = (await scores(places.stateNames, text, limit)).map(([id, score]): FoundPlace => {
    const state = invariant(places.states[id], 'A state that is indexed')
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
  const cities = (await scores(places.cityNames, text, limit)).map(([id, score]): FoundPlace => {
    const city = invariant(catalogue.cities[id], 'A city that is indexed')
    const stateName = invariant(places.stateOf(city.stateCode), 'The state of a city').name
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
    .sort((a, b) => b.score - a.score || rank(a) - rank(b) || collator.compare(nameOf(a), nameOf(b)))
    .slice(0, limit)
}

const rank = ({ kind }: FoundPlace) => (kind === 'state' ? 0 : 1)
const nameOf = (found: FoundPlace) => found.cityName ?? found.stateName

/** Scores all places that may be among the best `limit`. */
async function scores(index: NameIndex, text: string, limit: number): Promise<Scored[]> {
  const query = toQuery(text)
  const best = new Map<number, number>()
  const raise = (id: number, score: number) => void best.set(id, roundScore(Math.max(score, best.get(id) ?? 0)))
  for (const hit of index.findEqual(query)) raise(hit.id, hit.similarity)
  for (const { id, share } of await index.findByPrefix(query, COMPARED_MAX)) raise(id, prefixScore(share))
  if (query.bare.length > 2 && best.size < limit)
    for (const hit of await index.findSimilarAmong(query, LEAST_ALIKE, MEASURED_MAX)) raise(hit.id, hit.similarity * 0.95)
  return keepBest([...best], limit)
}

function prefixScore(share: number): number {
  if (share < 0) return SOUND_SCORE
  return share > 1 ? WITH_ARTICLE + 0.02 * (share - 1) : PREFIX_FLOOR + 0.2 * share
}

/** Keeps the places with at least the score of the last of the best. Ties are then ordered by name. */
function keepBest(scored: Scored[], limit: number): Scored[] {
  const last = scored.toSorted((a, b) => b[1] - a[1])[limit - 1]
  return last ? scored.filter(([, score]) => score >= last[1]) : scored
}
