const LONGEST = 4

export interface Beginning<Entry> {
  readonly key: string
  readonly entry: Entry
  /** Whether the key is the whole name, and not a later word of it. */
  readonly isWhole: boolean
}

/** Keys by what they begin with, for whoever is still typing: what is looked through is never much more than what is found. */
export class Beginnings<Entry> {
  readonly #filed = new Map<string, Beginning<Entry>[]>()

  add(key: string, beginning: Beginning<Entry>): void {
    for (let length = 1; length <= Math.min(LONGEST, key.length); length += 1) {
      const start = key.slice(0, length)
      const filed = this.#filed.get(start)
      if (filed) filed.push(beginning)
      else this.#filed.set(start, [beginning])
    }
  }

  /** Those whose key begins with what was typed, of the first `most` that may. */
  *of(typed: string, most: number): Generator<Beginning<Entry>> {
    if (typed === '') return
    const filed = this.#filed.get(typed.slice(0, LONGEST)) ?? []
    for (let at = 0; at < Math.min(filed.length, most); at += 1) {
      const beginning = filed[at]
      if (beginning?.key.startsWith(typed)) yield beginning
    }
  }
}
