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

/** A text into its room: wrapped, else smaller, else cut with an ellipsis. */
export function fit(text: string, { weight, width, height, size: wished, least }: Room): Fitted {
  const clean = printable(text)
  const direction = directionOf(clean)
  const most = (size: number) => Math.max(1, Math.floor(height / (size * LINE_HEIGHT)))
  for (let size = wished; size >= least; size -= STEP) {
    const lines = wrap(clean, weight, width / size, most(size) + 1)
    if (lines.length <= most(size)) return { lines, size, direction }
  }
  const lines = wrap(clean, weight, width / least, most(least) + 1)
  const last = most(least) - 1
  return { lines: [...lines.slice(0, last), cut(`${lines[last]} ${lines[last + 1]}`, weight, width / least)], size: least, direction }
}

/** Words onto lines of `width` ems, no more than `most` of them; a word that is too long is broken. */
function wrap(text: string, weight: Weight, width: number, most: number): string[] {
  const space = widthOf(' ', weight)
  const lines: string[] = []
  let line: string[] = []
  let used = 0
  for (const word of text.split(' ').flatMap((word) => broken(word, weight, width))) {
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

function broken(word: string, weight: Weight, width: number): string[] {
  if (widthOf(word, weight) <= width) return [word]
  const parts: string[] = []
  let part = ''
  for (const { segment } of characters.segment(word)) {
    if (part !== '' && widthOf(part + segment, weight) > width) {
      parts.push(part)
      part = ''
    }
    part += segment
  }
  return [...parts, part]
}

function cut(text: string, weight: Weight, width: number): string {
  const kept = [...characters.segment(text)].map(({ segment }) => segment)
  while (kept.length > 0 && widthOf(kept.join('').trimEnd() + ELLIPSIS, weight) > width) kept.pop()
  return kept.join('').trimEnd() + ELLIPSIS
}
