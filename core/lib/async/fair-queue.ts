/** What waits, by owner: each owner in turn gives the oldest of its own, so that nobody's crowd keeps others from coming. */
export class FairQueue<T extends object> {
  /** In the order of their next turns. */
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

  /** Takes one out that need not wait any more; null where it is not here. */
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

  /** The next of whoever has waited longest for a turn; `may` passes over owners that have to wait for another reason. */
  shift(may: (owner: string) => boolean = () => true): { owner: string; item: T } | undefined {
    for (const [owner, line] of this.#lines) {
      const item = may(owner) ? line.shift() : undefined
      if (!item) continue
      this.#size -= 1
      this.#lines.delete(owner)
      if (line.length > 0) this.#lines.set(owner, line)
      return { owner, item }
    }
    return undefined
  }
}
