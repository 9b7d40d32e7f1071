import type { Part } from '../../../plugins/model/model.ts'

/**
 * Whole letters of an answer that comes in pieces: where a piece ends in the midst of one, its first half waits for the next piece. A half
 * that stays alone is no letter, and could be kept nowhere.
 */
export class Letters {
  readonly #halves = { text: '', thought: '' }

  whole(part: Part): Part {
    if (part.type === 'text' || part.type === 'thought') return { ...part, text: this.#next(part.type, part.text) }
    if (part.type !== 'toolCall') return part
    const { call } = part
    const { id, arguments: args, carry } = call
    const whole = { id: id.toWellFormed(), arguments: args.toWellFormed(), ...(carry !== undefined && { carry: carry.toWellFormed() }) }
    return { ...part, call: { ...call, ...whole } }
  }

  #next(type: 'text' | 'thought', piece: string): string {
    const text = this.#halves[type] + piece
    const isTorn = (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800
    this.#halves[type] = isTorn ? text.slice(-1) : ''
    return (isTorn ? text.slice(0, -1) : text).toWellFormed()
  }
}
