import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { AdapterContext } from '../../adapter.ts'
import { failureOf } from './failure.ts'
import { FetchRequest, type HostMessage, type ProcessMessage, StorageRequest } from './protocol.ts'

/** Call of the host by an adapter: `fetch` or storage. */
export type HostCall = Extract<ProcessMessage, { type: 'fetch' | 'storage' }>

/** Result of a host call. */
export interface HostCallResult {
  readonly answer: HostMessage
  readonly bytes?: Uint8Array
  /** Body that follows the response in pieces. */
  readonly body?: ReadableStream<Uint8Array>
}

/** Handles a host call with the context of its call and returns the response. Never throws: errors are part of the response. */
export async function handleHostCall(wish: HostCall, bytes: Uint8Array, context: AdapterContext): Promise<HostCallResult> {
  const { id } = wish
  try {
    if (wish.type === 'storage') {
      const value = await callStorage(context, parseArguments<StorageRequest>('context.storage', StorageRequest, wish.storage))
      return { answer: { type: 'value', id, value, now: context.now() } }
    }
    const request = parseArguments<FetchRequest>('context.fetch', FetchRequest, wish.fetch)
    const response = await callFetch(context, request, bytes)
    const answer = { type: 'response' as const, id, status: response.status, headers: [...response.headers] }
    if (request.streams && response.body) return { answer: { ...answer, now: context.now(), streams: true }, body: response.body }
    const body = new Uint8Array(await response.arrayBuffer())
    return { answer: { ...answer, now: context.now() }, bytes: body }
  } catch (error) {
    return { answer: { type: 'refused', id, failure: failureOf(error), now: context.now() } }
  }
}

/** Sends a body in pieces as it arrives, until its end or until it is no longer wanted. */
export async function sendBody(
  id: number,
  body: ReadableStream<Uint8Array>,
  { isWanted, now, send }: { isWanted(): boolean; now(): number; send(piece: HostMessage, bytes?: Uint8Array): void },
): Promise<void> {
  try {
    for await (const bytes of body) {
      // Leaving the loop cancels the body.
      if (!isWanted()) return
      send({ type: 'piece', id, now: now() }, bytes)
    }
    send({ type: 'piece', id, now: now(), last: true })
  } catch (error) {
    send({ type: 'piece', id, now: now(), last: true, failure: failureOf(error) })
  }
}

/** Validates the arguments of a host call. Throws a `TypeError` with the first mismatch. */
function parseArguments<Arguments>(what: string, schema: TSchema, given: unknown): Arguments {
  const wrong = Value.Errors(schema, given).First()
  if (wrong) throw new TypeError(`${what} does not take this (${wrong.path.slice(0, 100) || '/'}: ${wrong.message}).`)
  return given as Arguments
}

function callFetch(
  context: AdapterContext,
  { url, hasBody, method, headers, followRedirects, readsOnly, timeoutMs, streams }: FetchRequest,
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

async function callStorage({ storage }: AdapterContext, request: StorageRequest): Promise<unknown> {
  if (request.verb === 'set' || request.verb === 'add') return storage[request.verb](request.key, request.value)
  if (request.verb === 'replace') return storage.replace(request.key, request.expected, request.value)
  if (request.verb !== 'list') return storage[request.verb](request.key)
  const { key, after, limit } = request
  return storage.list(key, { ...(after !== undefined && { after }), ...(limit !== undefined && { limit }) })
}
