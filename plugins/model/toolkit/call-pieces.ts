import { jsonIn } from '../../toolkit/ask.ts'
import { isRow, number, type Row, text } from '../../toolkit/values.ts'
import type { ToolCall } from '../model.ts'

interface Pieces {
  index: number
  id: string
  name: string
  arguments: string
}

/**
 * Assembles tool calls that arrive in pieces. A piece belongs to the call with its id, otherwise to the last call with its index. Some
 * servers give all parallel calls the index 0, and some give later pieces neither id nor index.
 */
export class CallPieces {
  readonly #calls: Pieces[] = []

  /** Adds a piece to its call, or begins a new call. */
  add({ index: said, id: given, function: of }: Row) {
    const { name: called, arguments: more } = isRow(of) ? of : {}
    const [id, name, index] = [text(given) ?? '', text(called) ?? '', number(said)]
    const call = this.#find(id, name, index) ?? this.#begin(index)
    call.id ||= id
    call.name ||= name
    call.arguments += text(more) ?? ''
  }

  #find(id: string, name: string, index: number | undefined): Pieces | undefined {
    const sameId = id === '' ? undefined : this.#calls.find((call) => call.id === id && (index === undefined || call.index === index))
    if (sameId) return sameId
    const last = this.#calls.findLast((call) => index === undefined || call.index === index)
    if (!last || (id !== '' && last.id !== '')) return undefined
    // A new name after complete arguments begins another call, from a server that gives no ids.
    return id === '' && name !== '' && last.arguments !== '' && jsonIn(last.arguments) !== undefined ? undefined : last
  }

  #begin(index = this.#calls.length): Pieces {
    const call = { index, id: '', name: '', arguments: '' }
    this.#calls.push(call)
    return call
  }

  /** Returns the calls, sorted by index, then by their beginning. The first one gets `carry`. */
  whole(carry: string | undefined): ToolCall[] {
    return this.#calls
      .toSorted((a, b) => a.index - b.index)
      .map(({ id, name, arguments: given }, at) => ({
        id: id || `call-${at}`,
        name,
        arguments: given,
        ...(at === 0 && carry !== undefined && { carry }),
      }))
  }
}
