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
 * Calls of tools that come in pieces. A piece belongs to the call of its id, else to the last one of its index: some servers give all parallel
 * calls the index 0, and some give a continuation neither.
 */
export class CallPieces {
  readonly #calls: Pieces[] = []

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
    // Named anew where the one before is whole already: another call, by a server that gives no ids.
    return id === '' && name !== '' && last.arguments !== '' && jsonIn(last.arguments) !== undefined ? undefined : last
  }

  #begin(index = this.#calls.length): Pieces {
    const call = { index, id: '', name: '', arguments: '' }
    this.#calls.push(call)
    return call
  }

  /** The calls in the order of their indexes, then of their beginnings. `carry` goes with the first. */
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
