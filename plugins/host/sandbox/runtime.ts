import type { AdapterContext, FetchInit, InboundRequest } from '../../adapter.ts'
import { memberOf } from '../../kind.ts'
import { confine } from './confine.ts'
import { describeDefinition } from './describe-definition.ts'
import { errorOf, failureOf } from './failure.ts'
import { encodeFrame, frameReader, MESSAGE_JSON_BYTES_MAX } from './frames.ts'
import type { HostMessage, PlainContext, ProcessMessage, StorageRequest } from './protocol.ts'

/**
 * Runtime of an adapter's process: turns messages into calls, with a context whose functions call the server. The adapter's code arrives
 * through the pipe and is evaluated, never imported. Deno would let imported code read any local module without a permission.
 */
declare const Deno: {
  readonly stdin: { read(into: Uint8Array): Promise<number | null> }
  readonly stdout: { writeSync(bytes: Uint8Array): number }
  exit(code: number): never
}

const { stdin, stdout } = Deno
const exit = Deno.exit
const now = performance.now.bind(performance)
const READ_BYTES = 256 * 1024
/** Maximum number of concurrent host calls; further ones wait here. The server ends a process that makes many more. */
const HOST_CALLS_AT_ONCE = 16
const LOGS_PER_CALL = 100

type HostCall = ({ readonly type: 'fetch'; readonly fetch: unknown } | { readonly type: 'storage'; readonly storage: StorageRequest }) & {
  readonly call: number
}
interface HostResponse {
  readonly message: HostMessage & { readonly now: number }
  readonly bytes: Uint8Array
  readonly stream?: ReadableStream<Uint8Array>
}
interface Running {
  readonly abort: AbortController
  /** The server's clock when it last responded, and ours at that moment. */
  clock: { theirs: number; ours: number }
  logs: number
}

/** Bodies that arrive in pieces, by the id of their host call. */
const bodies = new Map<number, ReadableStreamDefaultController<Uint8Array>>()
const running = new Map<number, Running>()
const hostCalls = new Map<number, { resolve(response: HostResponse): void; reject(error: unknown): void; call: number }>()
const waiting: (() => void)[] = []
let lastId = 0
let adapters: readonly object[] = []

function send(message: ProcessMessage, bytes?: Uint8Array): void {
  let rest = encodeFrame(message, bytes, MESSAGE_JSON_BYTES_MAX)
  while (rest.length > 0) rest = rest.subarray(stdout.writeSync(rest))
}

async function callHost(hostCall: HostCall, bytes?: Uint8Array): Promise<HostResponse> {
  // The server's error has no stack of the adapter: the stack of this call is appended.
  const origin = new Error('called from')
  if (!running.has(hostCall.call)) throw new Error('The call that this context was for has ended.')
  if (hostCalls.size >= HOST_CALLS_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  const id = ++lastId
  try {
    return await new Promise<HostResponse>((resolve, reject) => {
      hostCalls.set(id, { resolve, reject, call: hostCall.call })
      send({ ...hostCall, id } as ProcessMessage, bytes)
    })
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { stack: `${error.stack}\n${origin.stack}` }) : error
  } finally {
    hostCalls.delete(id)
    waiting.shift()?.()
  }
}

const stringifyValues = (headers: object) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
const encodeText = (text: string) => new TextEncoder().encode(text)
const bytesOf = (body: string | Uint8Array) => (typeof body === 'string' ? encodeText(body) : new Uint8Array(body))
/** Encodes a value as JSON; empty for what JSON cannot express, such as `undefined`. */
const plain = (value: unknown) => encodeText(JSON.stringify(value) ?? '')

function contextOf(call: number, given: PlainContext, state: Running): AdapterContext {
  const { storeId, connectionId, credentials, settings } = given
  const callStorage = async (storage: StorageRequest): Promise<unknown> => {
    const { message } = await callHost({ type: 'storage', call, storage })
    return message.type === 'value' ? message.value : undefined
  }
  return {
    storeId,
    connectionId,
    credentials,
    settings,
    async fetch(url: string, { method, headers, body, followRedirects, readsOnly, timeoutMs, streams }: FetchInit = {}) {
      const options = { method, headers: headers && stringifyValues(headers), followRedirects, readsOnly, timeoutMs, streams }
      const fetch = { ...options, url: String(url), hasBody: body !== undefined }
      const { message, bytes, stream } = await callHost({ type: 'fetch', call, fetch }, body === undefined ? undefined : bytesOf(body))
      if (message.type !== 'response') throw new Error('No response came.')
      const { status } = message
      const bodiless = status === 204 || status === 205 || status === 304
      if (stream) return new Response(bodiless ? null : stream, { status, headers: message.headers })
      return new Response(bodiless ? null : (bytes as Uint8Array<ArrayBuffer>), { status, headers: message.headers })
    },
    storage: {
      get: (key) => callStorage({ verb: 'get', key }),
      set: async (key, value) => void (await callStorage({ verb: 'set', key, value })),
      add: async (key, value) => (await callStorage({ verb: 'add', key, value })) === true,
      replace: async (key, expected, value) => (await callStorage({ verb: 'replace', key, expected, value })) === true,
      delete: async (key) => void (await callStorage({ verb: 'delete', key })),
      list: async (key, options = {}) => (await callStorage({ verb: 'list', key, ...options })) as { key: string; value: unknown }[],
    },
    log: (message, fields) => write(call, message, fields),
    now: () => Math.round(state.clock.theirs + now() - state.clock.ours),
    signal: state.abort.signal,
  }
}

function write(call: number, message: unknown, fields?: Readonly<Record<string, unknown>>): void {
  const state = running.get(call)
  if (!state || ++state.logs > LOGS_PER_CALL) return
  const line = { type: 'log', call, message: String(message).slice(0, 2000) } as const
  try {
    send(fields ? { ...line, fields: { ...fields } } : line)
  } catch {
    send({ ...line, fields: { fields: 'left out: too long, or not plain data' } })
  }
}

type CallMessage = Extract<HostMessage, { type: 'call' }>

async function run({ call, slug, member, context: given, args, request, streams }: CallMessage, bytes: Uint8Array) {
  const state: Running = { abort: new AbortController(), clock: { theirs: given.now, ours: now() }, logs: 0 }
  running.set(call, state)
  try {
    const adapter = adapters.find((one) => memberOf(one, 'slug') === slug)
    const context = contextOf(call, given, state)
    const [group, inner] = member.split('.')
    const holder = inner === undefined ? adapter : memberOf(Object(adapter), String(group))
    const work = memberOf(Object(adapter), member) as (...given: unknown[]) => unknown
    const inbound = request && ({ ...request, body: bytes } as InboundRequest)
    const value = await work.apply(holder, inbound ? [inbound, context] : [context, ...args])
    if (streams) for await (const part of value as AsyncIterable<unknown>) send({ type: 'part', call }, plain(part))
    send({ type: 'result', call }, streams ? undefined : plain(value))
  } catch (error) {
    send({ type: 'failure', call, failure: failureOf(error) })
  } finally {
    running.delete(call)
    state.abort.abort()
  }
}

/** Loads the bundle, a script that calls `mount` with the adapter's export. */
function load(code: string): void {
  try {
    let exported: unknown
    new Function('mount', code)((value: unknown) => {
      exported = value
    })
    const definitions = Array.isArray(exported) ? exported : [exported]
    const manifest = definitions.map(describeDefinition)
    adapters = definitions
    send({ type: 'ready' }, plain(manifest))
  } catch (error) {
    send({ type: 'failed', message: failureOf(error).message })
  }
}

function handleMessage(message: HostMessage, bytes: Uint8Array) {
  if (message.type === 'load') return load(new TextDecoder().decode(bytes))
  if (message.type === 'call') return void run(message, bytes)
  if (message.type === 'abort') return running.get(message.call)?.abort.abort(new DOMException('The call has to end.', 'TimeoutError'))
  if (message.type === 'ping') return send({ type: 'pong' })
  if (message.type === 'piece') return handlePiece(message, bytes)
  const hostCall = hostCalls.get(message.id)
  if (!hostCall) return
  const state = running.get(hostCall.call)
  if (state) state.clock = { theirs: message.now, ours: now() }
  if (message.type === 'refused') hostCall.reject(errorOf(message.failure))
  else if (message.type === 'response' && message.streams) hostCall.resolve({ message, bytes, stream: bodyOf(message.id) })
  else hostCall.resolve({ message, bytes })
}

/** Opens the stream with the response's head, before its first piece can arrive. */
const bodyOf = (id: number) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => void bodies.set(id, controller),
    cancel: () => void bodies.delete(id),
  })

function handlePiece({ id, last, failure }: Extract<HostMessage, { type: 'piece' }>, bytes: Uint8Array) {
  const body = bodies.get(id)
  if (bytes.length > 0) body?.enqueue(bytes)
  if (!last) return
  bodies.delete(id)
  if (failure) body?.error(errorOf(failure))
  else body?.close()
}

/** Unhandled rejections and errors in timers must not end the process; they concern only the adapter. */
for (const event of ['unhandledrejection', 'error']) addEventListener(event, (happened: Event) => happened.preventDefault())
/** Prints to the log of the most recent running call. */
const print = (...words: unknown[]) => {
  for (const call of [...running.keys()].slice(-1)) write(call, words.map(String).join(' '))
}
Reflect.set(globalThis, 'console', Object.fromEntries(['log', 'info', 'warn', 'error', 'debug', 'trace'].map((level) => [level, print])))
confine()

const read = frameReader((message, bytes) => handleMessage(message as HostMessage, bytes))
for (const into = new Uint8Array(READ_BYTES); ; ) {
  const length = await stdin.read(into)
  if (length === null) break
  read(into.slice(0, length))
}
exit(0)
