import type { Row } from '../../toolkit/values.ts'

/** Members of a detail that arrive in pieces. */
const PIECED = ['text', 'summary', 'data'] as const
/** Maximum length that a tool call of the contract can carry. */
const CARRY_MAX = 100_000
const COUNT_MAX = 1_000

/** Assembles `reasoning_details` of OpenRouter. They arrive in pieces, and must be sent back complete and in order with the tool calls. */
export class ReasoningDetails {
  readonly #details: Record<string, unknown>[] = []

  /** Adds a piece to the last detail, or begins a new one. */
  add(piece: Row) {
    const last = this.#details.at(-1)
    const continues =
      last && last.type === piece.type && last.index === piece.index && (piece.id == null || last.id == null || last.id === piece.id)
    if (!continues) {
      if (this.#details.length < COUNT_MAX) this.#details.push({ ...piece })
      return
    }
    for (const [key, value] of Object.entries(piece)) {
      const before = last[key]
      const isPieced = PIECED.some((one) => one === key) && typeof before === 'string' && typeof value === 'string'
      if (isPieced) last[key] = before + value
      else if (value !== null && value !== undefined) last[key] = value
    }
  }

  /** Returns the details as JSON; undefined if there are none, or too long to carry. */
  text(): string | undefined {
    if (this.#details.length === 0) return undefined
    const written = JSON.stringify(this.#details)
    return written.length <= CARRY_MAX ? written : undefined
  }
}
