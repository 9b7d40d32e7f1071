/** Queue that serves owners round robin: each owner's oldest item in turn, so that one owner's backlog does not delay the others. */
export class FairQueue<T extends object> {
  /** Items by owner, in the order in which the owners are served. */
  readonly #lines = new Map<string, T[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  sizeOf(owner: string): number {
    return this.#lines.get(owner)?.length ?? 0
  }

  push(owner: string, item: T): void {
    const line = this.#lines.get(owner)
    if (line) line.push(item)
    else this.#lines.set(owner, [item])
    this.#size += 1
  }

  /** Removes an item that is waiting. Returns null if it is not in the queue. */
  remove(item: T): T | null {
    for (const [owner, line] of this.#lines) {
      const at = line.indexOf(item)
      if (at < 0) continue
      line.splice(at, 1)
      this.#size -= 1
      if (line.length === 0) this.#lines.delete(owner)
      return item
    }
    return null
  }

  /** Removes and returns the oldest item of the next owner for which `isAllowed` returns true. Returns undefined if there is none. */
  shift(isAllowed: (owner: string) => boolean = () => true): { owner: string; item: T } | undefined {
    for (const [owner, line] of this.#lines) {
      const item = isAllowed(owner) ? line.shift() : undefined
      if (!item) continue
      this.#size -= 1
      this.#lines.delete(owner)
      if (line.length > 0) this.#lines.set(owner, line)
      return { owner, item }
    }
    return undefined
  }
}
