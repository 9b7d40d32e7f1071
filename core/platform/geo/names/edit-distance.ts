import { letterMask } from './fold.ts'

const WIDTH = 64
const VOWEL = new Uint8Array(0x780)
for (const letter of 'aeiouyاوي') VOWEL[letter.charCodeAt(0)] = 1

// Shares one set of buffers between all calls, because a misspelt order is compared with thousands of names.
const rows: readonly [Float64Array, Float64Array, Float64Array] = [row(), row(), row()]
const first = { word: '', codes: new Uint16Array(WIDTH), drops: row() }
const second = { word: '', codes: new Uint16Array(WIDTH), drops: row() }

/** Returns the cost of a cell; infinity outside the row. */
const costAt = (row: Float64Array, place: number): number => row[place] ?? Infinity
/** Returns a letter; 0 outside the word. */
const letterAt = (codes: Uint16Array, place: number): number => codes[place] ?? 0

/**
 * Computes the Damerau-Levenshtein distance with lower costs for typical errors: doubled letters, vowels and swapped neighbours. Returns
 * infinity as soon as the distance must exceed `limit`.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (a === b) return 0
  if (a.length > WIDTH || b.length > WIDTH || Math.abs(a.length - b.length) * 0.5 > limit) return Infinity
  spell(a, first)
  spell(b, second)
  let [before, previous, current] = rows
  previous[0] = 0
  for (let j = 1; j <= b.length; j++) previous[j] = costAt(previous, j - 1) + costAt(second.drops, j - 1)
  for (let i = 1; i <= a.length; i++) {
    if (fillRow(i, b.length, before, previous, current) > limit) return Infinity
    ;[before, previous, current] = [previous, current, before]
  }
  const distance = costAt(previous, b.length)
  return distance > limit ? Infinity : distance
}

function fillRow(i: number, width: number, before: Float64Array, previous: Float64Array, current: Float64Array): number {
  const { codes, drops } = second
  const letter = letterAt(first.codes, i - 1)
  const isVowel = VOWEL[letter] === 1
  const earlier = i > 1 ? letterAt(first.codes, i - 2) : 0
  const drop = costAt(first.drops, i - 1)
  let diagonal = costAt(previous, 0)
  let left = diagonal + drop
  let lowest = left
  let last = 0
  current[0] = left
  for (let j = 1; j <= width; j++) {
    const other = letterAt(codes, j - 1)
    const above = costAt(previous, j)
    let cost = diagonal
    if (letter !== other) cost += isVowel && VOWEL[other] === 1 ? 0.6 : 1
    if (above + drop < cost) cost = above + drop
    const added = left + costAt(drops, j - 1)
    if (added < cost) cost = added
    if (j > 1 && earlier === other && letter === last) cost = Math.min(cost, costAt(before, j - 2) + 0.8)
    current[j] = cost
    if (cost < lowest) lowest = cost
    diagonal = above
    left = cost
    last = other
  }
  return lowest
}

function spell(word: string, into: typeof first): void {
  if (word === into.word) return
  into.word = word
  for (let index = 0; index < word.length; index++) {
    const code = word.charCodeAt(index)
    into.drops[index] = code === into.codes[index - 1] && index > 0 ? 0.5 : VOWEL[code] ? 0.7 : 1
    into.codes[index] = code
  }
}

function row(): Float64Array {
  return new Float64Array(WIDTH + 1)
}

/** Bits of letters that cost less than 1 to replace, as {@link letterMask} sets them. */
const VOWEL_BITS = [...'aeiouyاوي'].reduce((mask, letter) => mask | letterMask(letter), 0)
/** Absorbs rounding of sums of costs. */
const ROUNDING = 1e-9

/**
 * Returns true if two words are further apart than `limit` by their letters alone. Each letter that only one of them has costs a change of
 * its own. `a` and `b` are the words' letter masks.
 */
export function isTooFar(a: number, b: number, limit: number): boolean {
  return Math.max(costOfLetters(a & ~b), costOfLetters(b & ~a)) > limit + ROUNDING
}

const costOfLetters = (mask: number): number => bitCount(mask) - 0.4 * bitCount(mask & VOWEL_BITS)

/** Counts the bits of a 32-bit number. */
export function bitCount(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}
