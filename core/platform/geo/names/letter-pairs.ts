/** Marks where a word begins and ends, so that its first and last letters are pairs too. */
const EDGE = ' '
/** More letters of one word say nothing more. */
const PAIRS_MAX = 40

/** Words by the pairs of neighbouring letters that they share: who may be alike is found without looking at all of them. */
export class LetterPairs {
  readonly #postings = new Map<string, number[]>()
  #counts = new Uint8Array(0)

  /** `id` counts up from 0. */
  add(word: string, id: number): void {
    for (const pair of pairsOf(word)) {
      const posted = this.#postings.get(pair)
      if (posted) posted.push(id)
      else this.#postings.set(pair, [id])
    }
    if (id >= this.#counts.length) {
      const larger = new Uint8Array(Math.max(256, id * 2))
      larger.set(this.#counts)
      this.#counts = larger
    }
  }

  /** Those that share the most pairs with the word, no more than `most`, and none that shares fewer than a quarter of them. */
  sharing(word: string, most: number): number[] {
    const pairs = pairsOf(word)
    const counts = this.#counts
    const least = Math.max(2, Math.ceil(pairs.size / 4))
    const byCount: number[][] = Array.from({ length: pairs.size + 1 }, () => [])
    for (const pair of pairs)
      for (const id of this.#postings.get(pair) ?? []) {
        const count = (counts[id] ?? 0) + 1
        counts[id] = count
        if (count >= least) byCount[count]?.push(id)
      }
    const found: number[] = []
    // Who reached a count is listed under it and under each below it: from the top, each is met first where it belongs.
    for (let count = pairs.size; count >= least && found.length < most; count -= 1)
      for (const id of byCount[count] ?? []) if (counts[id] === count && found.length < most) found.push(id)
    for (const pair of pairs) for (const id of this.#postings.get(pair) ?? []) counts[id] = 0
    return found
  }
}

function pairsOf(word: string): ReadonlySet<string> {
  const padded = EDGE + word.slice(0, PAIRS_MAX) + EDGE
  const pairs = new Set<string>()
  for (let at = 0; at + 1 < padded.length; at += 1) pairs.add(padded.slice(at, at + 2))
  return pairs
}
