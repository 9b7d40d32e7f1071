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

const ELISION = /(?<=\b(?:wilaya|commune|daira|ville|centre)\s+)d['’]\s*/giu
const LEAD =
  /^(?:(?:la |l )?(?:wilaya|wilayat|willaya|wilaia|wil|w|dz|province|commune|comune|communes|baladia|baladiya|baladiyat|baladiyet|baladyat|apc|daira|dayra|daerat|ville|centre ville|ولايه|بلديه|دائره|مدينه|بلدي|ولاي)(?: |(?=\d)))+(?:(?:de|d|du|des|of) (?:la )?)?/u
const TAIL = / (?:centre ville|centre|center|ville|chef lieu|وسط|المدينه|وسط المدينه|الجزاير|algerie)$/u
export const SEPARATOR = /[,;|/\\()[\]{}،؛–—:\n\t]|\s[-.•]\s|(?<=\d)\s*[-.]\s*(?=\p{L})/u
const DIGITS = /\d+/g
const LONGEST = 300
const A_PART = 0.93
const A_SCRIPT = 0.9
const BOTH_SCRIPTS = 0.98
const WINDOW_WORDS = 8

export function clean(text: string | null | undefined): string {
  return (text ?? '').slice(0, LONGEST).replace(ELISION, 'de ')
}

/** The numbers in it, Arabic digits too. */
export function numbersIn(text: string): string[] {
  return fold(text).match(DIGITS) ?? []
}

/** The words of it, without numbers and without "wilaya de", "commune de". */
export function wordsIn(text: string): string {
  return stripLead(
    fold(text)
      .replace(/^\d+ | \d+$|^\d+$/g, '')
      .trim(),
  )
}

function stripLead(folded: string): string {
  const rest = folded.replace(LEAD, '')
  return rest === '' ? folded : rest
}

/** From the whole text to its parts: most faithful reading first. */
export function readingsOf(text: string): Reading[] {
  const readings = new Map<string, Reading>()
  const add = (raw: string, folded: string, weight: number, half = false) => {
    const query = toQuery(raw, folded)
    if (query.tight.length > 1 && !readings.has(folded)) readings.set(folded, { query, folded, weight, half })
  }
  const plain = withoutNumbers(fold(text))
  add(text, plain, 1)
  const stripped = stripLead(plain)
  add(stripped, stripped, 1)
  add(stripped, stripped.replace(TAIL, ''), 0.98)
  const parts = text.split(SEPARATOR)
  if (parts.length > 1) for (const part of parts) add(part, stripLead(withoutNumbers(fold(part))), A_PART)
  for (const script of scriptsOf(plain)) add(script, stripLead(script), A_SCRIPT, true)
  return [...readings.values()]
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
