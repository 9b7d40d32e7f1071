import type { Weight } from './fonts.ts'
import { type Direction, directionOf, printable, widthOf } from './typeset.ts'

/** Lines stand this many times their size apart: Arabic reaches far above and below. */
export const LINE_HEIGHT = 1.28

export interface Room {
  readonly weight: Weight
  /** Points. */
  readonly width: number
  readonly height: number
  /** The size wished for, and the least that is still read: points. */
  readonly size: number
  readonly least: number
}

export interface Fitted {
  readonly lines: readonly string[]
  readonly size: number
  readonly direction: Direction
}

const STEP = 0.5
const ELLIPSIS = '…'
const characters = new Intl.Segmenter('fr', { granularity: 'grapheme' })

/** A text into its room: wrapped, else smaller, else with words broken, else cut with an ellipsis. */
export function fit(text: string, { weight, width, height, size: wished, least }: Room): Fitted {
  const clean = printable(text)
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
  return { lines: [...lines.slice(0, last), cut(`${lines[last]} ${lines[last + 1]}`, weight, width / least)], size: least, direction }
}

const wholeSteps = (size: number) => Math.floor(size / STEP) * STEP

/** Words onto lines of `width` ems, no more than `most` of them; a word that is too long is broken. */
function wrap(text: string, weight: Weight, width: number, most: number): string[] {
  const space = widthOf(' ', weight)
  const lines: string[] = []
  let line: string[] = []
  let used = 0
  for (const word of parts(text, weight, width)) {
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

/** Words, in pieces where they are too long; made one by one, since a line that is not reached is not broken. */
function* parts(text: string, weight: Weight, width: number): Generator<string> {
  for (const word of text.split(' ')) {
    if (widthOf(word, weight) <= width) {
      yield word
      continue
    }
    const letters = lettersOf(word)
    for (let from = 0; from < letters.length; ) {
      const piece = (count: number) => letters.slice(from, from + count).join('')
      const count = Math.max(
        1,
        mostThat(letters.length - from, (count) => widthOf(piece(count), weight) <= width),
      )
      yield piece(count)
      from += count
    }
  }
}

function cut(text: string, weight: Weight, width: number): string {
  const letters = lettersOf(text)
  const kept = (count: number) => letters.slice(0, count).join('').trimEnd() + ELLIPSIS
  return kept(mostThat(letters.length, (count) => widthOf(kept(count), weight) <= width))
}

const lettersOf = (text: string) => [...characters.segment(text)].map(({ segment }) => segment)

/** The greatest number up to `max` that fits, where whatever is less fits too. Few are tried: shaping a text takes its time. */
function mostThat(max: number, fits: (count: number) => boolean): number {
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
