import { invariant } from '../../../lib/invariant.ts'
import type { State } from '../catalogue/catalogue.ts'
import { findNamed, listNumbers } from '../names/address-reader.ts'
import type { MatchKind } from '../names/name-index.ts'
import type { IndexedCatalogue } from './places.ts'

/** State that a text may mean. */
export interface StateHit {
  readonly state: State
  readonly kind: MatchKind
  readonly similarity: number
}

const LEAST_ALIKE = 0.55
const AMONG_WORDS = 0.7
const CACHE_MAX = 2_000

/** Finds the states that a text may mean. */
export interface StateReader {
  /** Finds states by name, code or similarity, most likely first. */
  read(text: string): readonly StateHit[]
  /** Finds states by exact names only. */
  findByName(text: string): readonly StateHit[]
}

/** Builds the state reader of a country. Results are cached. */
export function buildStateReader(places: IndexedCatalogue): StateReader {
  const { states, stateNames: index, writing } = places
  const cache = new Map<string, readonly StateHit[]>()
  const stateAt = (id: number) => invariant(states[id], 'A state that is indexed')

  const read = (text: string): readonly StateHit[] => {
    const coded = codesIn(text, places)
    const named = closest(text)
    const [code] = coded
    const [best] = named
    if (!code) return named
    if (!best || best.similarity < 0.75)
      return isOnlyCode(writing.wordsIn(text)) ? coded : coded.map((hit) => ({ ...hit, similarity: AMONG_WORDS }))
    return combine(code, named)
  }

  const named = (text: string): StateHit[] =>
    findNamed(index, writing.readingsOf(text))
      .map(({ id, kind, similarity }) => ({ state: stateAt(id), kind, similarity }))
      .sort((a, b) => b.similarity - a.similarity)

  const closest = (text: string): StateHit[] => {
    const right = named(text)
    if (right.length > 0) return right
    const best = new Map<string, StateHit>()
    for (const { query, weight } of writing.readingsOf(text))
      for (const hit of index.findSimilar(query, LEAST_ALIKE)) {
        const state = stateAt(hit.id)
        const similarity = hit.similarity * weight
        if (similarity > (best.get(state.code)?.similarity ?? 0)) best.set(state.code, { state, kind: 'fuzzy', similarity })
      }
    return [...best.values()].sort((a, b) => b.similarity - a.similarity).slice(0, 5)
  }

  const readCached = (text: string): readonly StateHit[] => {
    if (text.trim() === '') return []
    const known = cache.get(text)
    if (known) return known
    const hits = read(text)
    if (cache.size >= CACHE_MAX) cache.clear()
    cache.set(text, hits)
    return hits
  }

  return { read: readCached, findByName: named }
}

/** Returns true if a text is a code without other words: "16", "W16", "state 16", but not "19 juin". */
function isOnlyCode(words: string): boolean {
  return words.replace(/\d+/g, '').trim().length < 3
}

function codesIn(text: string, { stateOfNumber: stateNumbered, catalogue }: IndexedCatalogue): StateHit[] {
  const { digits } = catalogue.conventions
  const hits: StateHit[] = []
  for (const number of listNumbers(text)) {
    const code = number.length <= digits.state ? number : number.length === digits.post ? number.slice(0, digits.stateInPost) : ''
    const state = code === '' ? undefined : stateNumbered(Number(code))
    if (state && !hits.some((hit) => hit.state === state)) hits.push({ state, kind: 'code', similarity: 1 })
  }
  return hits.slice(0, 2)
}

/** Combines a code and a name. Agreement is certain; otherwise the name counts more than the code. */
function combine(coded: StateHit, named: readonly StateHit[]): StateHit[] {
  const same = named.find((hit) => hit.state.code === coded.state.code)
  if (same) return [{ ...same, similarity: Math.max(same.similarity, 0.98) }]
  return [...named.map((hit) => ({ ...hit, similarity: hit.similarity * 0.85 })), { ...coded, similarity: 0.7 }]
}
