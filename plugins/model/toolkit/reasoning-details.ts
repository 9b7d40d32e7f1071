import type { Row } from '../../toolkit/values.ts'

/** Members of a detail that come in pieces. */
const PIECED = ['text', 'summary', 'data'] as const
/** As much as a call of the contract carries. */
const CARRY_MAX = 100_000
const COUNT_MAX = 1_000

/** `reasoning_details` of OpenRouter: they come in pieces, and have to go back whole and in order with the calls of tools. */
export class ReasoningDetails {
  readonly #details: Record<string, unknown>[] = []

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

  /** As one text; undefined where there was none, or more than can be carried. */
  text(): string | undefined {
    if (this.#details.length === 0) return undefined
    const written = JSON.stringify(this.#details)
    return written.length <= CARRY_MAX ? written : undefined
  }
}
