/** Looking for work takes at most a fifth of one connection's time. */
const REST_FACTOR = 4
const REST_MAX_MS = 2_000

/** Looks for work again and again: at once when woken, after a rest otherwise. */
export class PollLoop {
  #wake = Promise.withResolvers<void>()
  #stopping = false
  readonly #running: Promise<void>

  /** `look` takes up what there is and gives back how many milliseconds to rest, 0 for none. It never throws. */
  constructor(private readonly look: () => Promise<number>) {
    this.#running = this.#run()
  }

  wake() {
    this.#wake.resolve()
  }

  /** Resolves when nothing is looked for any more. */
  stop(): Promise<void> {
    this.#stopping = true
    this.wake()
    return this.#running
  }

  async #run() {
    // Whoever makes this has finished making itself by then.
    await Promise.resolve()
    while (!this.#stopping) {
      const started = performance.now()
      const pause = await this.look()
      const tookMs = performance.now() - started
      if (pause > 0 && !this.#stopping) await this.#rest(Math.max(pause, Math.min(tookMs * REST_FACTOR, REST_MAX_MS)))
    }
  }

  async #rest(ms: number) {
    const timer = setTimeout(() => this.wake(), ms)
    await this.#wake.promise
    clearTimeout(timer)
    this.#wake = Promise.withResolvers<void>()
  }
}
