import type { FontWeight } from './fonts.ts'
import { directionOf, type TextDirection, toPrintable, widthOf } from './typeset.ts'

/** Line height as a multiple of the font size. Arabic reaches far above and below the baseline. */
export const LINE_HEIGHT = 1.28

/** Font and space for a text. */
export interface FitOptions {
  readonly weight: FontWeight
  /** Points. */
  readonly width: number
  readonly height: number
  /** Preferred and least font size, in points. */
  readonly size: number
  readonly least: number
}

/** Text in lines that fit into their space. */
export interface FittedText {
  readonly lines: readonly string[]
  readonly size: number
  readonly direction: TextDirection
}

const STEP = 0.5
const ELLIPSIS = '…'
const characters = new Intl.Segmenter('fr', { granularity: 'grapheme' })

/** Fits a text into its space: wraps it, else shrinks it, else breaks words, else truncates it with an ellipsis. */
export function fitText(text: string, { weight, width, height, size: wished, least }: FitOptions): FittedText {
  const clean = toPrintable(text)
  const direction = directionOf(clean)
  const most = (size: number) => Math.max(1, Math.floor(height / (size * LINE_HEIGHT)))
  const words = clean.split(' ').map((word) => widthOf(word, weight))
  const longest = Math.max(...words)
  const all = words.reduce((sum, wide) => sum + wide, 0)
  for (const from of [Math.min(wished, wholeSteps(width / longest)), wished]) {
    for (let size = from; size >= least; size -= STEP) {
      if (all * size > most(size) * width) continue
      const lines = wrap(clean, weight, width / size, most(size) + 1)
      if (lines.length <= most(size)) return { lines, size, direction }
    }
  }
  const lines = wrap(clean, weight, width / least, most(least) + 1)
  const last = most(least) - 1
  return { lines: [...lines.slice(0, last), truncate(`${lines[last]} ${lines[last + 1]}`, weight, width / least)], size: least, direction }
}

const wholeSteps = (size: number) => Math.floor(size / STEP) * STEP

/** Wraps words into at most `most` lines of `width` ems. Breaks words that are too long. */
function wrap(text: string, weight: FontWeight, width: number, most: number): string[] {
  const space = widthOf(' ', weight)
  const lines: string[] = []
  let line: string[] = []
  let used = 0
  for (const word of wordPieces(text, weight, width)) {
    const wide = widthOf(word, weight)
    if (line.length > 0 && used + space + wide > width) {
      lines.push(line.join(' '))
      if (lines.length === most) return lines
      line = []
      used = 0
    }
    used += wide + (line.length > 0 ? space : 0)
    line.push(word)
  }
  return line.length > 0 ? [...lines, line.join(' ')] : lines
}

/** Yields words, long ones in pieces. Lazy, so that lines that are not used are not measured. */
function* wordPieces(text: string, weight: FontWeight, width: number): Generator<string> {
  for (const word of text.split(' ')) {
    if (widthOf(word, weight) <= width) {
      yield word
      continue
    }
    const graphemes = graphemesOf(word)
    for (let from = 0; from < graphemes.length; ) {
      const piece = (count: number) => graphemes.slice(from, from + count).join('')
      const count = Math.max(
        1,
        largestFitting(graphemes.length - from, (count) => widthOf(piece(count), weight) <= width),
      )
      yield piece(count)
      from += count
    }
  }
}

function truncate(text: string, weight: FontWeight, width: number): string {
  const graphemes = graphemesOf(text)
  const truncatedTo = (count: number) => graphemes.slice(0, count).join('').trimEnd() + ELLIPSIS
  return truncatedTo(largestFitting(graphemes.length, (count) => widthOf(truncatedTo(count), weight) <= width))
}

const graphemesOf = (text: string) => [...characters.segment(text)].map(({ segment }) => segment)

/** Returns the largest count up to `max` that fits. Tries few counts, because shaping text is slow. */
function largestFitting(max: number, fits: (count: number) => boolean): number {
  let [good, bad] = [0, 1]
  while (bad <= max && fits(bad)) [good, bad] = [bad, bad * 2]
  bad = Math.min(bad, max + 1)
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (fits(middle)) good = middle
    else bad = middle
  }
  return good
}
