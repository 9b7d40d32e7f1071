import type { Part } from '../../../plugins/model/model.ts'

/**
 * Joins surrogate pairs that a streamed answer splits between two parts: holds back a trailing high surrogate until the next part. Replaces
 * lone surrogates, because PostgreSQL cannot store them.
 */
export class SurrogateJoiner {
  readonly #pending = { text: '', thought: '' }

  /** Returns the part with well-formed text only. */
  join(part: Part): Part {
    if (part.type === 'text' || part.type === 'thought') return { ...part, text: this.#next(part.type, part.text) }
    if (part.type !== 'toolCall') return part
    const { call } = part
    const { id, arguments: args, carry } = call
    const whole = { id: id.toWellFormed(), arguments: args.toWellFormed(), ...(carry !== undefined && { carry: carry.toWellFormed() }) }
    return { ...part, call: { ...call, ...whole } }
  }

  #next(type: 'text' | 'thought', piece: string): string {
    const text = this.#pending[type] + piece
    const isSplit = (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800
    this.#pending[type] = isSplit ? text.slice(-1) : ''
    return (isSplit ? text.slice(0, -1) : text).toWellFormed()
  }
}
