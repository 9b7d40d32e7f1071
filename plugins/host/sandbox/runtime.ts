import type { AdapterContext, FetchInit, InboundRequest } from '../../adapter.ts'
import { memberOf, NO_ADAPTER } from '../../kind.ts'
import { confine } from './confine.ts'
import { errorOf, failureOf } from './failure.ts'
import { frame, frameReader, SAID_BYTES_MAX } from './frames.ts'
import type { Declared, FromProcess, MemoryAsked, PlainContext, ToProcess } from './protocol.ts'

/**
 * What runs in an adapter's process, and all that it runs beside the adapter: messages to calls, and a context whose every wish is
 * asked of the server. The adapter's code comes through the pipe and is evaluated, never imported: Deno reads any local file that an
 * imported module names in so many words, without asking for a permission.
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
/** Beyond these a wish waits here for its turn; the server ends a process that asks for much more at once. */
const ASKS_AT_ONCE = 16
const LOGS_PER_CALL = 100

type Wish = ({ readonly type: 'fetch'; readonly fetch: unknown } | { readonly type: 'memory'; readonly memory: MemoryAsked }) & {
  readonly call: number
}
interface Answered {
  readonly message: ToProcess & { readonly now: number }
  readonly bytes: Uint8Array
  readonly stream?: ReadableStream<Uint8Array>
}
interface Running {
  readonly abort: AbortController
  /** The server's clock when it was last heard, and ours at that moment. */
  clock: { theirs: number; ours: number }
  logs: number
}

/** Bodies that come piece by piece, by the wish that they answer. */
const bodies = new Map<number, ReadableStreamDefaultController<Uint8Array>>()
const running = new Map<number, Running>()
const asked = new Map<number, { resolve(answer: Answered): void; reject(error: unknown): void; call: number }>()
const waiting: (() => void)[] = []
let asks = 0
let adapters: readonly object[] = []

function say(message: FromProcess, bytes?: Uint8Array): void {
  let rest = frame(message, bytes, SAID_BYTES_MAX)
  while (rest.length > 0) rest = rest.subarray(stdout.writeSync(rest))
}

async function ask(wish: Wish, bytes?: Uint8Array): Promise<Answered> {
  // An answer that is an error comes out of the blue: it is told where it was asked for.
  const asking = new Error('asked')
  if (!running.has(wish.call)) throw new Error('The call that this context was for has ended.')
  if (asked.size >= ASKS_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  const id = ++asks
  try {
    return await new Promise<Answered>((resolve, reject) => {
      asked.set(id, { resolve, reject, call: wish.call })
      say({ ...wish, id } as FromProcess, bytes)
    })
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { stack: `${error.stack}\n${asking.stack}` }) : error
  } finally {
    asked.delete(id)
    waiting.shift()?.()
  }
}

const written = (headers: object) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
const encoded = (text: string) => new TextEncoder().encode(text)
const bytesOf = (body: string | Uint8Array) => (typeof body === 'string' ? encoded(body) : new Uint8Array(body))
/** Nothing for what no JSON says, such as `undefined`. */
const plain = (value: unknown) => encoded(JSON.stringify(value) ?? '')

function contextOf(call: number, given: PlainContext, state: Running): AdapterContext {
  const { storeId, connectionId, credentials, settings } = given
  const remember = async (memory: MemoryAsked): Promise<unknown> => {
    const { message } = await ask({ type: 'memory', call, memory })
    return message.type === 'value' ? message.value : undefined
  }
  return {
    storeId,
    connectionId,
    credentials,
    settings,
    async fetch(url: string, { method, headers, body, followRedirects, readsOnly, timeoutMs, streams }: FetchInit = {}) {
      const options = { method, headers: headers && written(headers), followRedirects, readsOnly, timeoutMs, streams }
      const fetch = { ...options, url: String(url), hasBody: body !== undefined }
      const { message, bytes, stream } = await ask({ type: 'fetch', call, fetch }, body === undefined ? undefined : bytesOf(body))
      if (message.type !== 'response') throw new Error('No response came.')
      const { status } = message
      const bodiless = status === 204 || status === 205 || status === 304
      if (stream) return new Response(bodiless ? null : stream, { status, headers: message.headers })
      return new Response(bodiless ? null : (bytes as Uint8Array<ArrayBuffer>), { status, headers: message.headers })
    },
    memory: {
      get: (key) => remember({ verb: 'get', key }),
      set: async (key, value) => void (await remember({ verb: 'set', key, value })),
      add: async (key, value) => (await remember({ verb: 'add', key, value })) === true,
      replace: async (key, expected, value) => (await remember({ verb: 'replace', key, expected, value })) === true,
      delete: async (key) => void (await remember({ verb: 'delete', key })),
      list: async (key, options = {}) => (await remember({ verb: 'list', key, ...options })) as { key: string; value: unknown }[],
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
    say(fields ? { ...line, fields: { ...fields } } : line)
  } catch {
    say({ ...line, fields: { fields: 'left out: too long, or no plain data' } })
  }
}

type CallMessage = Extract<ToProcess, { type: 'call' }>

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
    if (streams) for await (const part of value as AsyncIterable<unknown>) say({ type: 'part', call }, plain(part))
    say({ type: 'result', call }, streams ? undefined : plain(value))
  } catch (error) {
    say({ type: 'failure', call, failure: failureOf(error) })
  } finally {
    running.delete(call)
    state.abort.abort()
  }
}

/** The data of a definition and the names of its functions, two levels deep: an object in it may hold functions of its own. */
function declared(definition: unknown): Declared {
  if (definition === null || typeof definition !== 'object') throw new Error(NO_ADAPTER)
  const functions: string[] = []
  const plain = (holder: object, prefix: string) =>
    Object.fromEntries(
      Object.entries(holder).flatMap(([name, value]): [string, unknown][] => {
        if (typeof value === 'function') {
          functions.push(prefix + name)
          return []
        }
        const holds = prefix === '' && value !== null && typeof value === 'object' && !Array.isArray(value)
        return [[name, holds ? plain(value as object, `${name}.`) : value]]
      }),
    )
  return { data: plain(definition, ''), functions }
}

/** The bundle is a script that calls `mount` with what the adapter exports. */
function load(code: string): void {
  try {
    let exported: unknown
    new Function('mount', code)((value: unknown) => {
      exported = value
    })
    const definitions = Array.isArray(exported) ? exported : [exported]
    const manifest = definitions.map(declared)
    adapters = definitions
    say({ type: 'ready' }, plain(manifest))
  } catch (error) {
    say({ type: 'failed', message: failureOf(error).message })
  }
}

function take(message: ToProcess, bytes: Uint8Array) {
  if (message.type === 'load') return load(new TextDecoder().decode(bytes))
  if (message.type === 'call') return void run(message, bytes)
  if (message.type === 'abort') return running.get(message.call)?.abort.abort(new DOMException('The call has to end.', 'TimeoutError'))
  if (message.type === 'ping') return say({ type: 'pong' })
  if (message.type === 'piece') return piece(message, bytes)
  const wish = asked.get(message.id)
  if (!wish) return
  const state = running.get(wish.call)
  if (state) state.clock = { theirs: message.now, ours: now() }
  if (message.type === 'refused') wish.reject(errorOf(message.failure))
  else if (message.type === 'response' && message.streams) wish.resolve({ message, bytes, stream: bodyOf(message.id) })
  else wish.resolve({ message, bytes })
}

/** Begun with the head, so that no piece is missed. */
const bodyOf = (id: number) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => void bodies.set(id, controller),
    cancel: () => void bodies.delete(id),
  })

function piece({ id, last, failure }: Extract<ToProcess, { type: 'piece' }>, bytes: Uint8Array) {
  const body = bodies.get(id)
  if (bytes.length > 0) body?.enqueue(bytes)
  if (!last) return
  bodies.delete(id)
  if (failure) body?.error(errorOf(failure))
  else body?.close()
}

/** A promise that nobody waits for, or a timer that throws, is the adapter's own affair. */
for (const event of ['unhandledrejection', 'error']) addEventListener(event, (happened: Event) => happened.preventDefault())
/** What is printed belongs to whatever call is under way. */
const printed = (...words: unknown[]) => {
  for (const call of [...running.keys()].slice(-1)) write(call, words.map(String).join(' '))
}
Reflect.set(globalThis, 'console', Object.fromEntries(['log', 'info', 'warn', 'error', 'debug', 'trace'].map((level) => [level, printed])))
confine()

const read = frameReader((message, bytes) => take(message as ToProcess, bytes))
for (const into = new Uint8Array(READ_BYTES); ; ) {
  const length = await stdin.read(into)
  if (length === null) break
  read(into.slice(0, length))
}
exit(0)
