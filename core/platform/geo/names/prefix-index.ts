const LONGEST = 4

/** Indexed key with its entry. */
export interface PrefixEntry<Entry> {
  readonly key: string
  readonly entry: Entry
  /** True if the key is the whole name, false if it starts at a later word. */
  readonly isWhole: boolean
}

/** Index of keys by their prefixes, for search while typing. Scans little more than it finds. */
export class PrefixIndex<Entry> {
  readonly #byPrefix = new Map<string, PrefixEntry<Entry>[]>()

  add(key: string, beginning: PrefixEntry<Entry>): void {
    for (let length = 1; length <= Math.min(LONGEST, key.length); length += 1) {
      const start = key.slice(0, length)
      const filed = this.#byPrefix.get(start)
      if (filed) filed.push(beginning)
      else this.#byPrefix.set(start, [beginning])
    }
  }

  /** Yields the entries whose key starts with `typed`, among the first `most` candidates. */
  *find(typed: string, most: number): Generator<PrefixEntry<Entry>> {
    if (typed === '') return
    const filed = this.#byPrefix.get(typed.slice(0, LONGEST)) ?? []
    for (let at = 0; at < Math.min(filed.length, most); at += 1) {
      const beginning = filed[at]
      if (beginning?.key.startsWith(typed)) yield beginning
    }
  }
}
