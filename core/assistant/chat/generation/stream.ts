import type { Sql } from '../../../data/sql.ts'
import { appendParts, type GenerationRow } from './generations.queries.ts'
import { type ChatPart, mergeParts, type NumberedPart } from './parts.ts'

/** Interval in which waiting parts are written together. */
const FLUSH_MS = 60
/** Characters of JSON that one answer may have. */
const CHARACTERS_MAX = 1_000_000

/** Generation that runs in this process. Clients see a part only after it is stored, so that no crash takes it back. */
export class LiveGeneration {
  readonly parts: NumberedPart[] = []
  readonly controller = new AbortController()
  hasEnded = false
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

  /** Adds a part. Writes it at once, or after {@link FLUSH_MS} together with those that follow. Aborts when the answer grows too long. */
  add(part: ChatPart) {
    this.#length += JSON.stringify(part).length
    if (this.#length > CHARACTERS_MAX) this.controller.abort(new Error('The answer grew too long.'))
    this.#waiting.push(part)
    if (this.#scheduled) return
    this.#scheduled = true
    const wait = Math.max(0, this.#flushedAt + FLUSH_MS - performance.now())
    setTimeout(() => void this.flush().catch((error) => this.controller.abort(error)), wait)
  }

  /** Writes all waiting parts. Throws `LeaseLost` when another process has claimed the generation. */
  flush(): Promise<void> {
    this.#scheduled = false
    this.#flushing = this.#flushing.then(() => this.#write())
    return this.#flushing
  }

  async #write() {
    if (this.#waiting.length === 0) return
    const parts = mergeParts(this.#waiting).map((part) => ({ seq: ++this.#seq, part }))
    this.#waiting = []
    this.#flushedAt = performance.now()
    if (!(await appendParts(this.sql, this.row, this.process, parts))) throw new LeaseLost()
    this.publishParts(parts)
  }

  /** Publishes stored parts to the streams of clients. */
  publishParts(parts: readonly NumberedPart[]) {
    this.parts.push(...parts)
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }

  /** Marks the generation as ended and wakes the streams. */
  end() {
    this.hasEnded = true
    this.#changed.resolve()
  }

  /** Promise that resolves when the next parts are published. */
  get nextChange(): Promise<void> {
    return this.#changed.promise
  }
}

/** Thrown when another process has claimed the generation because this one seemed dead. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}
