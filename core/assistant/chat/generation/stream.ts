import type { Sql } from '../../../data/sql.ts'
import { appendParts, type GenerationRow } from './generations.queries.ts'
import { type ChatPart, joined, type Numbered } from './parts.ts'

const FLUSH_MS = 60
/** Of all that one answer may come to. */
const CHARACTERS_MAX = 1_000_000

/** An answer that this process is making. What it shows is written down already: nobody sees what a crash would take back. */
export class Live {
  readonly parts: Numbered[] = []
  readonly controller = new AbortController()
  ended = false
  #waiting: ChatPart[] = []
  #seq: number
  #length = 0
  #flushing: Promise<void> = Promise.resolve()
  #scheduled = false
  #flushedAt = 0
  #changed = Promise.withResolvers<void>()

  constructor(
    private readonly sql: Sql,
    readonly row: GenerationRow,
    private readonly process: number,
  ) {
    this.#seq = row.lastSeq
  }

  /** Takes a part; it is written down at once, or with those that come in the next moment. */
  add(part: ChatPart) {
    this.#length += JSON.stringify(part).length
    if (this.#length > CHARACTERS_MAX) this.controller.abort(new Error('The answer grew too long.'))
    this.#waiting.push(part)
    if (this.#scheduled) return
    this.#scheduled = true
    const wait = Math.max(0, this.#flushedAt + FLUSH_MS - performance.now())
    setTimeout(() => void this.flush().catch((error) => this.controller.abort(error)), wait)
  }

  /** Waits until all is written down. Throws where another process has it by now. */
  flush(): Promise<void> {
    this.#scheduled = false
    this.#flushing = this.#flushing.then(() => this.#write())
    return this.#flushing
  }

  async #write() {
    if (this.#waiting.length === 0) return
    const parts = joined(this.#waiting).map((part) => ({ seq: ++this.#seq, part }))
    this.#waiting = []
    this.#flushedAt = performance.now()
    if (!(await appendParts(this.sql, this.row, this.process, parts))) throw new Lost()
    this.show(parts)
  }

  /** Those who listen see these. */
  show(parts: readonly Numbered[]) {
    this.parts.push(...parts)
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }

  end() {
    this.ended = true
    this.#changed.resolve()
  }

  /** Resolves with the next that is shown. */
  get changed(): Promise<void> {
    return this.#changed.promise
  }
}

/** Another process took it up, since this one was taken for dead. */
export class Lost extends Error {
  override readonly name = 'Lost'
}
