const WIDTH = 64
const VOWEL = new Uint8Array(0x780)
for (const letter of 'aeiouyاوي') VOWEL[letter.charCodeAt(0)] = 1

// Shares one set of buffers between all calls, because a misspelt order is compared with thousands of names.
const rows: readonly [Float64Array, Float64Array, Float64Array] = [row(), row(), row()]
const first = { codes: new Uint16Array(WIDTH), drops: row() }
const second = { codes: new Uint16Array(WIDTH), drops: row() }

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
  const earlier = i > 1 ? letterAt(first.codes, i - 2) : 0
  const drop = costAt(first.drops, i - 1)
  let lowest = costAt(previous, 0) + drop
  current[0] = lowest
  for (let j = 1; j <= width; j++) {
    const other = letterAt(codes, j - 1)
    let cost = costAt(previous, j - 1)
    if (letter !== other) cost += VOWEL[letter] && VOWEL[other] ? 0.6 : 1
    const dropped = costAt(previous, j) + drop
    if (dropped < cost) cost = dropped
    const added = costAt(current, j - 1) + costAt(drops, j - 1)
    if (added < cost) cost = added
    if (j > 1 && earlier === other && letter === codes[j - 2]) cost = Math.min(cost, costAt(before, j - 2) + 0.8)
    current[j] = cost
    if (cost < lowest) lowest = cost
  }
  return lowest
}

function spell(word: string, into: typeof first): void {
  for (let index = 0; index < word.length; index++) {
    const code = word.charCodeAt(index)
    into.drops[index] = code === into.codes[index - 1] && index > 0 ? 0.5 : VOWEL[code] ? 0.7 : 1
    into.codes[index] = code
  }
}

function row(): Float64Array {
  return new Float64Array(WIDTH + 1)
}
