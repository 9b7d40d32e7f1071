import { readFileSync } from 'node:fs'
import type { Batch } from './batch.ts'

/** What is left to operators, and to what prepares the run. */
const KEPT_BACK = 10
/** What a process opens at most on such a server, where its files start one server each, or several at once: somewhat above what was counted. */
const OPENED = { one: 28, several: 55 }
/** Not `Bun.serve`, which is a platform that the test plays. */
const STARTS_SEVERAL = /\b(severalOn|spawnServer|(?<!Bun\.)serve)\(/

export const startsSeveral = (file: string) => STARTS_SEVERAL.test(readFileSync(file, 'utf8'))

/**
 * The connections of a server that is not ours to set up. A batch begins when there are enough of them left for it, so that no test is told
 * that there are too many, however many lanes there are.
 */
export class Room {
  #waiting: (() => void)[] = []

  /** `connections`: of that server, whose stage is called `stage`; other batches always have room. */
  constructor(
    private connections: number,
    private readonly stage: string,
  ) {
    this.connections = Math.max(connections - KEPT_BACK, OPENED.several)
  }

  /** Takes what can begin first; waits while all that is left needs what others hold. Undefined when nothing is left. */
  async take(...queues: Batch[][]): Promise<Batch | undefined> {
    while (queues.some((queue) => queue.length > 0)) {
      for (const queue of queues) {
        const at = queue.findIndex((batch) => this.#needs(batch) <= this.connections)
        if (at >= 0) return this.#begin(queue.splice(at, 1)[0]!)
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    return undefined
  }

  #begin(batch: Batch) {
    this.connections -= this.#needs(batch)
    return batch
  }

  giveBack(batch: Batch) {
    this.connections += this.#needs(batch)
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  #needs({ stage, files }: Batch) {
    if (stage.name !== this.stage) return 0
    return startsSeveral(files[0]!) ? OPENED.several : OPENED.one
  }
}
