import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { AdapterContext } from '../../adapter.ts'
import { failureOf } from './failure.ts'
import { FetchAsked, type FromProcess, MemoryAsked, type ToProcess } from './protocol.ts'

export type Wish = Extract<FromProcess, { type: 'fetch' | 'memory' }>

export interface Served {
  readonly answer: ToProcess
  readonly bytes?: Uint8Array
  /** What follows the answer, piece by piece. */
  readonly body?: ReadableStream<Uint8Array>
}

/** Does with the call's own context what a process asked for, and gives what to answer. Never throws. */
export async function serveWish(wish: Wish, bytes: Uint8Array, context: AdapterContext): Promise<Served> {
  const { id } = wish
  try {
    if (wish.type === 'memory') {
      const value = await remember(context, asked<MemoryAsked>('context.memory', MemoryAsked, wish.memory))
      return { answer: { type: 'value', id, value, now: context.now() } }
    }
    const wished = asked<FetchAsked>('context.fetch', FetchAsked, wish.fetch)
    const response = await reach(context, wished, bytes)
    const answer = { type: 'response' as const, id, status: response.status, headers: [...response.headers] }
    if (wished.streams && response.body) return { answer: { ...answer, now: context.now(), streams: true }, body: response.body }
    const body = new Uint8Array(await response.arrayBuffer())
    return { answer: { ...answer, now: context.now() }, bytes: body }
  } catch (error) {
    return { answer: { type: 'refused', id, failure: failureOf(error), now: context.now() } }
  }
}

/** Sends a body on as it comes, to its end or as long as anybody wants it. */
export async function sendPieces(
  id: number,
  body: ReadableStream<Uint8Array>,
  { isWanted, now, send }: { isWanted(): boolean; now(): number; send(piece: ToProcess, bytes?: Uint8Array): void },
): Promise<void> {
  try {
    for await (const bytes of body) {
      // Left, it is cancelled.
      if (!isWanted()) return
      send({ type: 'piece', id, now: now() }, bytes)
    }
    send({ type: 'piece', id, now: now(), last: true })
  } catch (error) {
    send({ type: 'piece', id, now: now(), last: true, failure: failureOf(error) })
  }
}

/** The wish, if it is one. */
function asked<Wished>(what: string, schema: TSchema, wish: unknown): Wished {
  const wrong = Value.Errors(schema, wish).First()
  if (wrong) throw new TypeError(`${what} does not take this (${wrong.path.slice(0, 100) || '/'}: ${wrong.message}).`)
  return wish as Wished
}

function reach(
  context: AdapterContext,
  { url, hasBody, method, headers, followRedirects, readsOnly, timeoutMs, streams }: FetchAsked,
  bytes: Uint8Array,
) {
  return context.fetch(url, {
    ...(method && { method }),
    ...(headers && { headers }),
    ...(hasBody && { body: bytes }),
    ...(followRedirects !== undefined && { followRedirects }),
    ...(readsOnly !== undefined && { readsOnly }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(streams !== undefined && { streams }),
  })
}

async function remember({ memory }: AdapterContext, asked: MemoryAsked): Promise<unknown> {
  if (asked.verb === 'set' || asked.verb === 'add') return memory[asked.verb](asked.key, asked.value)
  if (asked.verb === 'replace') return memory.replace(asked.key, asked.expected, asked.value)
  if (asked.verb !== 'list') return memory[asked.verb](asked.key)
  const { key, after, limit } = asked
  return memory.list(key, { ...(after !== undefined && { after }), ...(limit !== undefined && { limit }) })
}
