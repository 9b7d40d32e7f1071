import bidiFactory from 'bidi-js'
import { invariant } from '../../../lib/invariant.ts'
import { type FontWeight, type GlyphPosition, loadFont } from './fonts.ts'

const bidi = bidiFactory()

/** Glyph with its position, in font units. */
export interface Glyph extends GlyphPosition {
  readonly id: number
  readonly advanceWidth: number
  /** Characters that the glyph represents. */
  readonly text: string
}

/** Shaped text of one direction. Glyphs and runs follow each other from left to right. */
export interface GlyphRun {
  readonly glyphs: readonly Glyph[]
  /** Width in ems. */
  readonly width: number
}

/** Writing direction of a text. */
export type TextDirection = 'ltr' | 'rtl'

const NO_GLYPH = '\u25a1'
const NO_GLYPHS = /\u25a1(?:\p{Default_Ignorable_Code_Point}*\u25a1)*/gu
const STRONG_RTL = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
const STRONG = /\p{L}/u
/** Controls, and marks that change the direction of a line. Joiners stay, because Arabic is written with them. */
const UNPRINTABLE = /(?![\u200c\u200d])[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu
/** Letters in presentation forms; the font itself shapes base letters. */
const PRESENTATION_FORM = /[\ufb50-\ufdff\ufe70-\ufefc]/u

/**
 * Grouped numbers such as phone numbers. They stay on one line and in order; the bidirectional algorithm would reverse the groups among
 * Arabic letters.
 */
const LONG_NUMBER = /\+?\p{Nd}(?:[ \u00a0.-]?\p{Nd}){7,}/gu
const NO_BREAK = '\u00a0'
const [ISOLATE, OVERRIDE, END_OVERRIDE, END_ISOLATE] = ['\u2066', '\u202d', '\u202c', '\u2069']
const DIRECTING = new Set([ISOLATE, OVERRIDE, END_OVERRIDE, END_ISOLATE])

/** Returns the text as one line of characters that the font has. Each run of missing characters becomes one question mark. */
export function toPrintable(text: string): string {
  const { shaper } = loadFont('regular')
  const has = (character: string) =>
    character === '\u200c' ||
    character === '\u200d' ||
    shaper.hasGlyphForCodePoint(invariant(character.codePointAt(0), 'The number of a character'))
  const near = (character: string) => {
    if (has(character) && !PRESENTATION_FORM.test(character)) return character
    const plain = character.normalize('NFKC')
    return [...plain].every(has) ? plain : NO_GLYPH
  }
  const line = text.toWellFormed().replace(/\s+/gu, ' ').replace(UNPRINTABLE, '').normalize('NFC').trim()
  const printable = [...line].map(near).join('').replace(NO_GLYPHS, '?')
  return printable.replace(LONG_NUMBER, (number) => number.replaceAll(' ', NO_BREAK))
}

/** Direction of a text, by its first letter with a strong direction. */
export function directionOf(text: string): TextDirection {
  const first = STRONG.exec(text)?.[0]
  return first !== undefined && STRONG_RTL.test(first) ? 'rtl' : 'ltr'
}

/** Typesets a line from left to right: orders it by the bidirectional algorithm, mirrors characters, and shapes glyphs. */
export function typeset(text: string, weight: FontWeight, direction: TextDirection): GlyphRun[] {
  const line = text.replace(LONG_NUMBER, (number) => ISOLATE + OVERRIDE + number + END_OVERRIDE + END_ISOLATE)
  const { levels } = bidi.getEmbeddingLevels(line, direction)
  const mirrored = bidi.getMirroredCharactersMap(line, levels)
  const segments: { level: number; text: string }[] = []
  for (let at = 0; at < line.length; at += 1) {
    const unit = line.charAt(at)
    if (DIRECTING.has(unit)) continue
    const level = invariant(levels[at], 'The level of a letter')
    const last = segments.at(-1)
    const character = mirrored.get(at) ?? (unit === NO_BREAK ? ' ' : unit)
    if (last?.level === level) last.text += character
    else segments.push({ level, text: character })
  }
  return inVisualOrder(segments).map(({ level, text }) => shape(text, weight, level % 2 === 1 ? 'rtl' : 'ltr'))
}

/** Reorders segments by rule L2: from the highest level down, reverses each run at that level or above. */
function inVisualOrder<S extends { readonly level: number }>(segments: readonly S[]): readonly S[] {
  const ordered = [...segments]
  for (let level = Math.max(0, ...segments.map((segment) => segment.level)); level > 0; level -= 1) {
    for (let from = 0; from < ordered.length; from += 1) {
      let to = from
      while ((ordered[to]?.level ?? 0) >= level) to += 1
      ordered.splice(from, to - from, ...ordered.slice(from, to).reverse())
      from = Math.max(from, to - 1)
    }
  }
  return ordered
}

/** Shapes text into glyphs, from left to right. */
function shape(text: string, weight: FontWeight, direction: TextDirection): GlyphRun {
  const { shaper } = loadFont(weight)
  const { glyphs, positions } = shaper.layout(text, undefined, undefined, undefined, direction)
  return {
    glyphs: glyphs.map(({ id, advanceWidth, codePoints }, at) => {
      const { xAdvance, xOffset, yOffset } = invariant(positions[at], 'The place of a glyph')
      return { id, advanceWidth, xAdvance, xOffset, yOffset, text: String.fromCodePoint(...codePoints) }
    }),
    width: positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0) / shaper.unitsPerEm,
  }
}

const WIDTHS_MAX = 20_000
const widths = new Map<string, number>()

/** Width of a text on one line, in ems. Results are cached. */
export function widthOf(text: string, weight: FontWeight): number {
  const key = `${weight} ${text}`
  const before = widths.get(key)
  if (before !== undefined) return before
  if (widths.size >= WIDTHS_MAX) widths.clear()
  const width = typeset(text, weight, directionOf(text)).reduce((sum, run) => sum + run.width, 0)
  widths.set(key, width)
  return width
}
