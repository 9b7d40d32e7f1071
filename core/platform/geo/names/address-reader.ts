import type { AddressConventions } from '../catalogue/catalogue.ts'
import { fold } from './fold.ts'
import { type NameHit, type NameIndex, type NameQuery, toQuery } from './name-index.ts'

/** Interpretation of a typed text, and how much it keeps of the text. */
export interface Reading {
  readonly query: NameQuery
  readonly folded: string
  readonly weight: number
  /** True if it has the words of only one script of a text with two. */
  readonly isOneScript: boolean
}

/** Pattern of separators between the parts of an address. */
export const SEPARATOR = /[,;|/\\()[\]{}،؛–—:\n\t]|\s[-.•]\s|(?<=\d)\s*[-.]\s*(?=\p{L})/u
const DIGITS = /\d+/g
const LONGEST = 300
const PART_WEIGHT = 0.93
const SCRIPT_WEIGHT = 0.9
const BOTH_SCRIPTS_WEIGHT = 0.98
const WINDOW_WORDS = 8

/** Lists the numbers in a text, including those in Arabic digits. */
export function listNumbers(text: string): string[] {
  return fold(text).match(DIGITS) ?? []
}

/** Reads typed texts by the address conventions of a country. */
export class AddressReader {
  readonly #elision: RegExp
  readonly #lead: RegExp
  readonly #tail: RegExp

  constructor({ leadingWords: leads, elidingWords: elides, trailingWords: tails }: AddressConventions) {
    this.#elision = new RegExp(`(?<=\\b(?:${elides.join('|')})\\s+)d['’]\\s*`, 'giu')
    this.#lead = new RegExp(`^(?:(?:la |l )?(?:${leads.join('|')})(?: |(?=\\d)))+(?:(?:de|d|du|des|of) (?:la )?)?`, 'u')
    this.#tail = new RegExp(` (?:${tails.join('|')})$`, 'u')
  }

  /** Truncates a text and expands elisions. */
  clean(text: string | null | undefined): string {
    return (text ?? '').slice(0, LONGEST).replace(this.#elision, 'de ')
  }

  /** Returns the folded words of a text, without numbers and leading words such as "state of". */
  wordsIn(text: string): string {
    return this.#stripLead(
      fold(text)
        .replace(/^\d+ | \d+$|^\d+$/g, '')
        .trim(),
    )
  }

  /** Returns the readings of a text, from the whole to its parts, most faithful first. */
  readingsOf(text: string): Reading[] {
    const readings = new Map<string, Reading>()
    const add = (raw: string, folded: string, weight: number, { isOneScript = false }: { readonly isOneScript?: boolean } = {}) => {
      const query = toQuery(raw, folded)
      if (query.tight.length > 1 && !readings.has(folded)) readings.set(folded, { query, folded, weight, isOneScript })
    }
    const plain = withoutNumbers(fold(text))
    add(text, plain, 1)
    const stripped = this.#stripLead(plain)
    add(stripped, stripped, 1)
    add(stripped, stripped.replace(this.#tail, ''), 0.98)
    const parts = text.split(SEPARATOR)
    if (parts.length > 1) for (const part of parts) add(part, this.#stripLead(withoutNumbers(fold(part))), PART_WEIGHT)
    for (const script of scriptsOf(plain)) add(script, this.#stripLead(script), SCRIPT_WEIGHT, { isOneScript: true })
    return [...readings.values()]
  }

  #stripLead(folded: string): string {
    const rest = folded.replace(this.#lead, '')
    return rest === '' ? folded : rest
  }
}

/** Removes numbers at either end, which are codes. Numbers inside may belong to a name ("1er Mai"). */
function withoutNumbers(folded: string): string {
  return folded
    .replace(/(?:^| )\d{2,5}(?= |$)/g, ' ')
    .replace(/^ *\d+ /, '')
    .replace(/\s+/g, ' ')
    .trim()
}

function scriptsOf(folded: string): string[] {
  const [latin, arabic] = [/\p{Script=Arabic}/gu, /\p{Script=Latin}/gu].map((other) =>
    folded.replace(other, '').replace(/\s+/g, ' ').trim(),
  )
  return latin && arabic ? [latin, arabic] : []
}

/** Finds the places that the readings name. A place named in both scripts ranks almost as high as a full match. */
export function findNamed(index: NameIndex, readings: readonly Reading[]): NameHit[] {
  const best = new Map<number, NameHit>()
  const halves = new Map<number, number>()
  for (const { query, weight, isOneScript: half } of readings)
    for (const hit of index.findEqual(query)) {
      const known = best.get(hit.id)
      const agreed = half && halves.get(hit.id)
      const similarity = Math.max(known?.similarity ?? 0, hit.similarity * (agreed ? BOTH_SCRIPTS_WEIGHT : weight))
      best.set(hit.id, known && known.similarity >= hit.similarity * weight ? { ...known, similarity } : { ...hit, similarity })
      if (half) halves.set(hit.id, 1)
    }
  return [...best.values()]
}

/** Lists runs of words in a text, longest first, to find a name inside a longer text. Skips names of streets. */
export function wordRunsOf(folded: string, longest = 5): string[] {
  const words = folded.split(' ').slice(0, WINDOW_WORDS * 3)
  const windows: string[] = []
  for (let size = Math.min(longest, words.length); size > 0; size--)
    for (let start = 0; start + size <= words.length; start++) {
      const window = words.slice(start, start + size).join(' ')
      if (window.length > 2 && !STREET.test(words[start - 1] ?? '') && !STREET.test(words[start - 2] ?? '')) windows.push(window)
    }
  return windows
}

/** Words before the name of a street or quarter, which is then not a commune. */
const STREET =
  /^(?:rue|ru|r|bd|bld|boulevard|avenue|av|ave|cite|cites|hai|hay|lot|lots|lotissement|coop|cooperative|route|rte|rn|chemin|place|placette|ecole|lycee|cem|mosquee|masjid|hopital|residence|freres|martyr|chahid|colonel|شارع|حي|نهج|طريق|مسجد|تجزيه|ساحه|مدرسه|ثانويه|اقامه|الشهيد)$/
