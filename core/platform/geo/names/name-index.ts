import { yieldEvery } from '../../../lib/async/yield-every.ts'
import { bitCount, editDistance, isTooFar } from './edit-distance.ts'
import { fold, isArabic, letterMask, removeArticles, removeSpaces, soundKey } from './fold.ts'
import { LetterPairIndex } from './letter-pairs.ts'
import { PrefixIndex } from './prefix-index.ts'

/** Kind of a match. */
export type MatchKind = 'exact' | 'folded' | 'alias' | 'code' | 'fuzzy'

/** Match of a query in a {@link NameIndex}. */
export interface NameHit {
  /** Position in the indexed list. */
  readonly id: number
  readonly kind: MatchKind
  /** Similarity; 1 for equal names. */
  readonly similarity: number
  /** Edit distance; about 1 per typing error. */
  readonly cost: number
}

/** Names of a place. */
export interface PlaceNames {
  readonly name: string
  readonly nameAr: string
  readonly otherNames: readonly string[]
}

interface Entry {
  readonly id: number
  readonly official: boolean
  readonly folded: string
  readonly spelling: string
  readonly tight: string
  readonly bare: string
  readonly sound: string
  readonly mask: number
  readonly tightMask: number
  readonly soundMask: number
  readonly arabic: boolean
}

/** Folded forms of a text to search for. */
export interface NameQuery {
  readonly folded: string
  readonly spelling: string
  readonly tight: string
  readonly bare: string
  readonly sound: string
  readonly mask: number
  readonly tightMask: number
  readonly soundMask: number
  readonly arabic: boolean
}

/** Prefix of sound keys. No folded name contains it. */
const SOUND_PREFIX = '~'
const WORDS_MAX = 8

const QUALITY: Readonly<Record<MatchKind, number>> = { exact: 4, folded: 3, code: 2, alias: 2, fuzzy: 1 }

/** Computes the folded forms of a text. */
export function toQuery(text: string, folded = fold(text)): NameQuery {
  const tight = removeSpaces(folded)
  const short = removeArticles(folded)
  const sound = soundKey(short)
  return {
    folded,
    spelling: spell(text),
    tight,
    bare: short,
    sound,
    mask: letterMask(short),
    tightMask: letterMask(tight),
    soundMask: letterMask(sound),
    arabic: isArabic(tight),
  }
}

function spell(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** Index of place names. Finds equal folded names directly and others by similarity. */
export class NameIndex {
  readonly #byKey = new Map<string, Entry[]>()
  readonly #groups = new Map<string, Entry[]>()
  readonly #entries: Entry[] = []
  #typing: Promise<TypingIndex> | undefined
  #size = 0

  /** Adds a place. Its `id` in hits is the number of places added before. */
  add(place: PlaceNames, group = ''): void {
    const members = this.#groups.get(group) ?? []
    this.#groups.set(group, members)
    for (const entry of entriesOf(place, this.#size)) {
      this.#entries.push(entry)
      members.push(entry)
      for (const key of new Set([entry.tight, entry.bare])) this.#addKey(key, entry)
    }
    this.#typing = undefined
    this.#size += 1
  }

  #addKey(key: string, entry: Entry): void {
    const filed = this.#byKey.get(key)
    if (filed) filed.push(entry)
    else this.#byKey.set(key, [entry])
  }

  /** Finds places with this name, ignoring accents, case, spaces and articles. */
  findEqual(query: NameQuery): NameHit[] {
    if (query.tight === '') return []
    const best = new Map<number, NameHit>()
    const full = this.#byKey.get(query.tight) ?? []
    const short = this.#byKey.get(query.bare) ?? []
    for (const entry of full) keepBest(best, sameHit(entry, query))
    for (const entry of short) if (!best.has(entry.id)) keepBest(best, sameHit(entry, query))
    return [...best.values()]
  }

  /** Finds places with a similar name, most similar first. Without a group, searches all. */
  findSimilar(query: NameQuery, least: number, group?: string): NameHit[] {
    if (query.bare.length < 2) return []
    const best = new Map<number, NameHit>()
    const entries = group === undefined ? this.#entries : (this.#groups.get(group) ?? [])
    for (const entry of entries) {
      const hit = compare(entry, query, least)
      if (hit) keepBest(best, hit)
    }
    return [...best.values()].sort((a, b) => b.similarity - a.similarity)
  }

  /** Finds similar names among the `most` names that share the most letter pairs. Used while typing. */
  async findSimilarAmong(query: NameQuery, least: number, most: number): Promise<NameHit[]> {
    if (query.bare.length < 2) return []
    const best = new Map<number, NameHit>()
    const { pairs } = await this.#whileTyping()
    for (const at of pairs.findSimilar(query.bare, most)) {
      const entry = this.#entries[at]
      const hit = entry && compare(entry, query, least)
      if (hit) keepBest(best, hit)
    }
    return [...best.values()]
  }

  /**
   * Finds places with a name, or a word of a name, that starts with the query or sounds like it. `share` is the typed fraction of the name.
   * It is negative if only the sound matches, and above 1 if the article was typed and matches. Compares at most `most` names.
   */
  async findByPrefix(query: NameQuery, most: number): Promise<{ id: number; share: number }[]> {
    const { beginnings } = await this.#whileTyping()
    const found = new Map<number, number>()
    const raise = (id: number, share: number) => void (share > (found.get(id) ?? -2) && found.set(id, share))
    const hasArticle = query.tight !== query.bare
    for (const typed of new Set([query.tight, query.bare]))
      for (const { key, entry, isWhole } of beginnings.find(typed, most)) {
        const share = Math.min(1, typed.length / key.length)
        raise(entry.id, isWhole ? share + Number(hasArticle && typed === query.tight) : 0)
      }
    if (query.sound.length > 2 && !query.arabic)
      for (const { entry } of beginnings.find(SOUND_PREFIX + query.sound, most)) raise(entry.id, -1)
    return [...found].map(([id, share]) => ({ id, share }))
  }

  /** Returns the index for search while typing. Builds it at the first search, since most servers only resolve addresses. */
  #whileTyping(): Promise<TypingIndex> {
    this.#typing ??= buildTypingIndex(this.#entries)
    return this.#typing
  }
}

/** Index of names for search while typing. */
interface TypingIndex {
  readonly beginnings: PrefixIndex<Entry>
  readonly pairs: LetterPairIndex
}

/** Builds the index in steps, so that other work can run. A country of 100,000 cities takes seconds. */
async function buildTypingIndex(entries: readonly Entry[]): Promise<TypingIndex> {
  const [beginnings, pairs] = [new PrefixIndex<Entry>(), new LetterPairIndex()]
  const yieldSlice = yieldEvery()
  for (const [at, entry] of entries.entries()) {
    await yieldSlice()
    pairs.add(entry.bare, at)
    addPrefixes(beginnings, entry)
  }
  return { beginnings, pairs }
}

function addPrefixes(beginnings: PrefixIndex<Entry>, entry: Entry): void {
  const filed = new Set<string>()
  const file = (key: string, { isWhole }: { readonly isWhole: boolean }) => {
    if (key === '' || filed.has(key)) return
    filed.add(key)
    beginnings.add(key, { key, entry, isWhole })
  }
  file(entry.tight, { isWhole: true })
  file(entry.bare, { isWhole: true })
  if (!entry.arabic) file(SOUND_PREFIX + entry.sound, { isWhole: true })
  const words = entry.folded.split(' ').slice(0, WORDS_MAX)
  words.forEach((_, at) => {
    if (at > 0) file(removeSpaces(words.slice(at).join(' ')), { isWhole: false })
  })
}

function entriesOf(place: PlaceNames, id: number): Entry[] {
  const known = new Map<string, Entry>()
  for (const name of [place.name, place.nameAr, ...place.otherNames]) {
    const query = toQuery(name)
    const official = name === place.name || name === place.nameAr
    if (query.tight !== '' && !known.has(query.tight)) known.set(query.tight, { id, official, ...query })
  }
  return [...known.values()]
}

function sameHit(entry: Entry, query: NameQuery): NameHit {
  const written = entry.spelling === query.spelling
  const whole = entry.tight === query.tight
  const kind: MatchKind = !entry.official ? 'alias' : written ? 'exact' : 'folded'
  return { id: entry.id, kind, similarity: whole ? 1 : 0.97, cost: whole ? 0 : 0.3 }
}

function keepBest(best: Map<number, NameHit>, hit: NameHit): void {
  const known = best.get(hit.id)
  if (!known || hit.similarity > known.similarity || (hit.similarity === known.similarity && QUALITY[hit.kind] > QUALITY[known.kind]))
    best.set(hit.id, hit)
}

function compare(entry: Entry, query: NameQuery, least: number): NameHit | null {
  if (entry.arabic !== query.arabic) return null
  const longest = Math.max(entry.bare.length, query.bare.length)
  const limit = (1 - least) * longest
  if (bitCount(entry.mask ^ query.mask) > 2 * limit + 3) return null
  let cost = isTooFar(query.mask, entry.mask, limit) ? Infinity : editDistance(query.bare, entry.bare, limit)
  let reach = Math.min(cost, limit)
  if ((entry.tight !== entry.bare || query.tight !== query.bare) && !isTooFar(query.tightMask, entry.tightMask, reach)) {
    cost = Math.min(cost, editDistance(query.tight, entry.tight, reach))
    reach = Math.min(cost, limit)
  }
  if (cost > 0.5 && !entry.arabic && !isTooFar(query.soundMask, entry.soundMask, reach)) {
    // Adds a small cost to matches by sound.
    const heard = editDistance(query.sound, entry.sound, reach) * (longest / entry.sound.length) + 0.4
    cost = Math.min(cost, heard)
  }
  const similarity = 1 - cost / longest
  return similarity < least ? null : { id: entry.id, kind: 'fuzzy', similarity: Math.min(similarity, 0.98), cost }
}
