import type { Manner } from '../catalogue/catalogue.ts'
import { fold } from './fold.ts'
import { type Hit, type NameIndex, type Query, toQuery } from './name-index.ts'

/** One way to understand a text that somebody typed, and how far it departs from the text as it stands. */
export interface Reading {
  readonly query: Query
  readonly folded: string
  readonly weight: number
  /** The words of one script, where a text has two: half of what was said. */
  readonly half: boolean
}

export const SEPARATOR = /[,;|/\\()[\]{}،؛–—:\n\t]|\s[-.•]\s|(?<=\d)\s*[-.]\s*(?=\p{L})/u
const DIGITS = /\d+/g
const LONGEST = 300
const A_PART = 0.93
const A_SCRIPT = 0.9
const BOTH_SCRIPTS = 0.98
const WINDOW_WORDS = 8

/** The numbers in it, Arabic digits too. */
export function numbersIn(text: string): string[] {
  return fold(text).match(DIGITS) ?? []
}

/** What people type is read in the manner of their country. */
export class Writing {
  readonly #elision: RegExp
  readonly #lead: RegExp
  readonly #tail: RegExp

  constructor({ leads, elides, tails }: Manner) {
    this.#elision = new RegExp(`(?<=\\b(?:${elides.join('|')})\\s+)d['’]\\s*`, 'giu')
    this.#lead = new RegExp(`^(?:(?:la |l )?(?:${leads.join('|')})(?: |(?=\\d)))+(?:(?:de|d|du|des|of) (?:la )?)?`, 'u')
    this.#tail = new RegExp(` (?:${tails.join('|')})$`, 'u')
  }

  clean(text: string | null | undefined): string {
    return (text ?? '').slice(0, LONGEST).replace(this.#elision, 'de ')
  }

  /** The words of it, without numbers and without "state of", "city of". */
  wordsIn(text: string): string {
    return this.#stripLead(
      fold(text)
        .replace(/^\d+ | \d+$|^\d+$/g, '')
        .trim(),
    )
  }

  /** From the whole text to its parts: most faithful reading first. */
  readingsOf(text: string): Reading[] {
    const readings = new Map<string, Reading>()
    const add = (raw: string, folded: string, weight: number, half = false) => {
      const query = toQuery(raw, folded)
      if (query.tight.length > 1 && !readings.has(folded)) readings.set(folded, { query, folded, weight, half })
    }
    const plain = withoutNumbers(fold(text))
    add(text, plain, 1)
    const stripped = this.#stripLead(plain)
    add(stripped, stripped, 1)
    add(stripped, stripped.replace(this.#tail, ''), 0.98)
    const parts = text.split(SEPARATOR)
    if (parts.length > 1) for (const part of parts) add(part, this.#stripLead(withoutNumbers(fold(part))), A_PART)
    for (const script of scriptsOf(plain)) add(script, this.#stripLead(script), A_SCRIPT, true)
    return [...readings.values()]
  }

  #stripLead(folded: string): string {
    const rest = folded.replace(this.#lead, '')
    return rest === '' ? folded : rest
  }
}

/** A number at either end is a code; inside it may belong to a name ("1er Mai"). */
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

/** The places that the readings name. What both scripts say is almost as good as the whole. */
export function namedIn(index: NameIndex, readings: readonly Reading[]): Hit[] {
  const best = new Map<number, Hit>()
  const halves = new Map<number, number>()
  for (const { query, weight, half } of readings)
    for (const hit of index.same(query)) {
      const known = best.get(hit.id)
      const agreed = half && halves.get(hit.id)
      const similarity = Math.max(known?.similarity ?? 0, hit.similarity * (agreed ? BOTH_SCRIPTS : weight))
      best.set(hit.id, known && known.similarity >= hit.similarity * weight ? { ...known, similarity } : { ...hit, similarity })
      if (half) halves.set(hit.id, 1)
    }
  return [...best.values()]
}

/** Runs of words within it, longest first: for a name in the middle of something else. */
export function windowsOf(folded: string, longest = 5): string[] {
  const words = folded.split(' ').slice(0, WINDOW_WORDS * 3)
  const windows: string[] = []
  for (let size = Math.min(longest, words.length); size > 0; size--)
    for (let start = 0; start + size <= words.length; start++) {
      const window = words.slice(start, start + size).join(' ')
      if (window.length > 2 && !STREET.test(words[start - 1] ?? '') && !STREET.test(words[start - 2] ?? '')) windows.push(window)
    }
  return windows
}

/** What follows these is the name of a street or quarter, however much it looks like a commune's. */
const STREET =
  /^(?:rue|ru|r|bd|bld|boulevard|avenue|av|ave|cite|cites|hai|hay|lot|lots|lotissement|coop|cooperative|route|rte|rn|chemin|place|placette|ecole|lycee|cem|mosquee|masjid|hopital|residence|freres|martyr|chahid|colonel|شارع|حي|نهج|طريق|مسجد|تجزيه|ساحه|مدرسه|ثانويه|اقامه|الشهيد)$/
