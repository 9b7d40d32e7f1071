/** Pause after a poll, as a multiple of its duration: polling uses at most a fifth of one connection's time. */
const PAUSE_FACTOR = 4
const PAUSE_MAX_MS = 2_000

/** Polls for work in a loop: at once when woken, otherwise after a pause. */
export class PollLoop {
  #wake = Promise.withResolvers<void>()
  #stopping = false
  readonly #running: Promise<void>

  /** Starts the loop. `poll` processes the available work and returns the milliseconds to pause, 0 for none. It must not throw. */
  constructor(private readonly poll: () => Promise<number>) {
    this.#running = this.#run()
  }

  wake() {
    this.#wake.resolve()
  }

  /** Ends the loop. Resolves when the last poll has finished. */
  stop(): Promise<void> {
    this.#stopping = true
    this.wake()
    return this.#running
  }

  async #run() {
    // Waits until the constructor of the owner has finished.
    await Promise.resolve()
    while (!this.#stopping) {
      const started = performance.now()
      const pause = await this.poll()
      const tookMs = performance.now() - started
      if (pause > 0 && !this.#stopping) await this.#pause(Math.max(pause, Math.min(tookMs * PAUSE_FACTOR, PAUSE_MAX_MS)))
    }
  }

  async #pause(ms: number) {
    const timer = setTimeout(() => this.wake(), ms)
    await this.#wake.promise
    clearTimeout(timer)
    this.#wake = Promise.withResolvers<void>()
  }
}
