import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { AdapterContext } from '../../adapter.ts'
import { failureOf } from './failure.ts'
import { FetchAsked, type FromProcess, MemoryAsked, type ToProcess } from './protocol.ts'

export type Wish = Extract<FromProcess, { type: 'fetch' | 'memory' }>

/** Does with the call's own context what a process asked for, and gives what to answer. Never throws. */
export async function serveWish(wish: Wish, bytes: Uint8Array, context: AdapterContext): Promise<[answer: ToProcess, bytes?: Uint8Array]> {
  const { id } = wish
  try {
    if (wish.type === 'memory') {
      const value = await remember(context, asked<MemoryAsked>('context.memory', MemoryAsked, wish.memory))
      return [{ type: 'value', id, value, now: context.now() }]
    }
    const response = await reach(context, asked<FetchAsked>('context.fetch', FetchAsked, wish.fetch), bytes)
    const body = new Uint8Array(await response.arrayBuffer())
    return [{ type: 'response', id, status: response.status, headers: [...response.headers], now: context.now() }, body]
  } catch (error) {
    return [{ type: 'refused', id, failure: failureOf(error), now: context.now() }]
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
  { url, hasBody, method, headers, followRedirects, readsOnly, timeoutMs }: FetchAsked,
  bytes: Uint8Array,
) {
  return context.fetch(url, {
    ...(method && { method }),
    ...(headers && { headers }),
    ...(hasBody && { body: bytes }),
    ...(followRedirects !== undefined && { followRedirects }),
    ...(readsOnly !== undefined && { readsOnly }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
}

async function remember({ memory }: AdapterContext, asked: MemoryAsked): Promise<unknown> {
  if (asked.verb === 'set' || asked.verb === 'add') return memory[asked.verb](asked.key, asked.value)
  if (asked.verb === 'replace') return memory.replace(asked.key, asked.expected, asked.value)
  if (asked.verb !== 'list') return memory[asked.verb](asked.key)
  const { key, after, limit } = asked
  return memory.list(key, { ...(after !== undefined && { after }), ...(limit !== undefined && { limit }) })
}
