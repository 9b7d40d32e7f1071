/** Marks the start and end of a word, so that its first and last letters form pairs too. */
const EDGE = ' '
/** Maximum letters of a word that are indexed. More do not improve the result. */
const PAIRS_MAX = 40

/** Index of words by pairs of neighbouring letters. Finds similar words without comparing all of them. */
export class LetterPairIndex {
  readonly #postings = new Map<string, number[]>()
  #counts = new Uint8Array(0)

  /** Adds a word. Ids count up from 0. */
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

  /** Returns up to `most` ids that share the most pairs with a word. Excludes those that share fewer than a quarter. */
  findSimilar(word: string, most: number): number[] {
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
    // Ids are listed under each count they reached, so going down from the top finds each first at its highest.
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
