import type { CityHit } from '../resolve/read-city.ts'
import type { StateHit } from '../resolve/read-state.ts'
import type { Relation, ScoredCity } from './city-scorer.ts'
import type { MatchKind } from './name-index.ts'

const BY_KIND: Readonly<Record<Exclude<MatchKind, 'fuzzy'>, number>> = { exact: 0.99, folded: 0.98, alias: 0.96, code: 0.93 }
const BY_RELATION: Readonly<Record<Relation, number>> = { inside: 1, kin: 0.95, near: 0.75, far: 0.6, unsaid: 0.94 }
/** Confidence from which a caller may use an answer without confirmation. An answer with a close rival never reaches it. */
export const CONFIDENT = 0.9
const BELOW_SURE = 0.88

/** Computes the confidence of the best answer, given its best rival. */
export function confidenceOf(best: ScoredCity, rival: ScoredCity | undefined, { doubted }: { readonly doubted: boolean }): number {
  let confidence = cityConfidence(best.hit) * stateConfidence(best) * BY_RELATION[best.relation]
  const ratio = rival ? rival.score / best.score : 0
  if (ratio > 0.9) confidence = Math.min(confidence * 0.6, 0.5)
  else if (ratio > 0.78) confidence = Math.min(confidence * 0.85, 0.7)
  else if (ratio > 0.6) confidence = Math.min(confidence, BELOW_SURE)
  if (best.relation === 'unsaid' && best.hit.kind !== 'exact' && best.hit.kind !== 'folded') confidence = Math.min(confidence, BELOW_SURE)
  if (best.relation === 'kin' && best.hit.kind === 'fuzzy') confidence = Math.min(confidence, BELOW_SURE)
  if (doubted) confidence = Math.min(confidence, BELOW_SURE)
  return roundScore(confidence)
}

function cityConfidence({ kind, similarity }: CityHit): number {
  if (kind !== 'fuzzy') return BY_KIND[kind] * similarity
  if (similarity >= 0.9) return 0.95
  if (similarity >= 0.87) return 0.92
  if (similarity >= 0.8) return 0.88
  return similarity >= 0.7 ? 0.78 : similarity * 0.9
}

function stateConfidence({ hit, stateHit, relation }: ScoredCity): number {
  if (!stateHit) return hit.kind === 'fuzzy' ? 0.88 : 1
  if (stateHit.kind !== 'fuzzy') return stateHit.similarity >= 0.95 ? 1 : 0.9
  // A city that lies in a misspelt state confirms it.
  if (relation !== 'inside') return 0.85
  if (stateHit.similarity >= 0.8) return hit.kind === 'fuzzy' ? 0.97 : 0.99
  return hit.kind === 'fuzzy' ? 0.85 : 0.95
}

/** Computes the confidence of a state without a city. Always below {@link CONFIDENT}, since a parcel needs a city. */
export function stateOnlyConfidence(best: StateHit, rival: StateHit | undefined, { citySilent }: { readonly citySilent: boolean }): number {
  const base = best.kind === 'fuzzy' ? best.similarity * 0.75 : 0.8 * best.similarity
  const contested = rival && rival.similarity > best.similarity * 0.9 ? 0.6 : 1
  return roundScore(base * contested * (citySilent ? 1 : 0.65))
}

/** Clamps a value to 0–1 and rounds it to three decimals. */
export function roundScore(value: number): number {
  return Math.round(Math.max(0, Math.min(1, value)) * 1000) / 1000
}
