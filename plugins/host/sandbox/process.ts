import { readFileSync } from 'node:fs'
import { Value } from '@sinclair/typebox/value'
import { NO_ADAPTER } from '../../kind.ts'
import { answerLimits, wrong } from '../answer.ts'
import { type Call, thrownBy, unavailable } from './call.ts'
import type { Launch } from './deno.ts'
import { failureOf } from './failure.ts'
import { openPipes } from './pipes.ts'
import { type Declared, type FromProcess, Manifest } from './protocol.ts'
import { readJson, readLongJson } from './read-json.ts'
import { sendPieces, serveWish, type Wish } from './serve-wish.ts'
import { turnstile } from './turnstile.ts'

/** A running process of one adapter. Nothing that it does reaches further than its own calls. */
export interface Process {
  readonly pid: number
  /** What its bundle declares; rejects where it did not load. */
  readonly ready: Promise<readonly Declared[]>
  call(call: Call): Promise<unknown>
  /** Calls that wait or run. */
  busy(): number
  /** Kills it where it holds more memory than it may; with `ping` also where it has missed several signs of life. */
  look(ping: boolean): void
  /** Halts it where no call is under way, until the next one: between calls it has nothing to do, and does nothing. */
  rest(): void
  stop(): Promise<void>
  /** Whether it takes no further calls: one outlived its time. It ends when the others are done. */
  leaving(): boolean
  /** Whether it was ended because it is not needed, and not because of something that it did to itself. */
  stopped(): boolean
  /** Why it ended. */
  readonly ended: Promise<string>
}

export interface Limits {
  readonly memoryMb: number
  readonly loadMs: number
}

const CALLS_AT_ONCE = 16
const CALLS_WAITING = 200
/** A call that was told to end has this long; then its process has as long to show that it can still hear. */
const GRACE_MS = 1_000
const MISSED_MAX = 4
const WISHES_MAX = 64
/** A well-behaved process stops at 100 of a call. */
const LINES_MAX = 200
const FIELDS_LENGTH_MAX = 10_000
const MANIFEST_BYTES_MAX = 2 * 1024 * 1024
/** Beside the heap there are buffers: answers and labels of 20 MB, some at once. */
const BUFFERS_MB = 96
const PAGE_BYTES = 4096
const NOT_NEEDED = 'it is not needed any more'
const OVERRUN = 'a call did not end when its time was over'
const UNASKED = 'it answered what nobody asked'
const WITHOUT_PAUSE = 'it does not answer: it works without a pause, or not at all'

/** For whoever asks a process that takes no further calls: nothing was begun. */
export class Leaving extends Error {}

interface Pending extends Call {
  /** Written into the log so far. */
  lines: number
  /** Of JSON that its parts have come to. */
  partBytes: number
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Starts a process and gives it the bundle's code. `said` takes what it writes to its error output, shortened. */
export function startProcess(launch: Launch, code: string, { memoryMb, loadMs }: Limits, said: (words: string) => void): Process {
  const calls = new Map<number, Pending>()
  /** Those that were given up. */
  const overdue = new Set<number>()
  const turns = turnstile(CALLS_AT_ONCE, CALLS_WAITING, 'this adapter')
  const loaded = Promise.withResolvers<readonly Declared[]>()
  let last = 0
  let wishes = 0
  let missed = 0
  let isLoaded = false
  let isHeard = true
  let leaving: 'listening' | 'finishing' | undefined
  let is: 'new' | 'called' | 'idle' | 'halted' = 'new'

  const pipes = openPipes(launch, { take, over, said })
  const loading = setTimeout(() => pipes.kill(`it did not load within ${loadMs} ms`), loadMs)
  loaded.promise.then(
    () => clearTimeout(loading),
    (error: Error) => pipes.kill(error.message),
  )
  pipes.send({ type: 'load' }, new TextEncoder().encode(code))

  function over(reason: string) {
    clearTimeout(loading)
    loaded.reject(new Error(reason))
    for (const { reject } of calls.values()) reject(ended(reason))
    calls.clear()
  }

  function take(message: FromProcess, bytes: Uint8Array) {
    isHeard = true
    if (message.type === 'ready') return load(bytes)
    if (message.type === 'failed') return loaded.reject(new Error(message.message))
    if (message.type === 'pong') return answeredPing()
    if (message.type === 'log') return log(message)
    if (message.type === 'fetch' || message.type === 'memory') return void grant(message, bytes)
    const call = calls.get(message.call)
    if (message.type === 'part') return call ? part(call, bytes) : overdue.has(message.call) || pipes.kill(UNASKED)
    if (!call && overdue.delete(message.call)) return
    if (!call) return pipes.kill(UNASKED)
    calls.delete(message.call)
    if (message.type === 'result') void answered(call, bytes)
    else call.reject(thrownBy(message.failure))
  }

  function load(bytes: Uint8Array) {
    if (isLoaded) return pipes.kill('it said twice that it is ready')
    isLoaded = true
    if (bytes.length > MANIFEST_BYTES_MAX) return loaded.reject(new Error('declares too much'))
    const manifest = readJson(bytes)
    if (Value.Check(Manifest, manifest)) loaded.resolve(manifest)
    else loaded.reject(new Error(NO_ADAPTER))
  }

  async function answered({ name, member, resolve, reject }: Pending, bytes: Uint8Array) {
    const { jsonBytes, values } = answerLimits(member)
    if (bytes.length > jsonBytes) return reject(wrong(name, `more than ${jsonBytes} bytes of JSON`))
    try {
      resolve(bytes.length === 0 ? undefined : await readLongJson(bytes, values))
    } catch (error) {
      reject(wrong(name, error instanceof Error ? error.message : 'no JSON'))
    }
  }

  /** Parts are short: each is read at once. */
  function part(call: Pending, bytes: Uint8Array) {
    const { jsonBytes } = answerLimits(call.member)
    call.partBytes += bytes.length
    if (!call.onPart || call.partBytes > jsonBytes)
      return pipes.kill(`it streams more than ${jsonBytes} bytes of JSON, or what nobody asked`)
    try {
      call.onPart(readJson(bytes))
    } catch {
      pipes.kill('it streams what is no JSON')
    }
  }

  function log({ call: id, message, fields }: Extract<FromProcess, { type: 'log' }>) {
    const call = calls.get(id)
    if (!call) return
    if (++call.lines > LINES_MAX) return pipes.kill('it writes too much into the log')
    const isLong = fields !== undefined && JSON.stringify(fields).length > FIELDS_LENGTH_MAX
    call.context.log(message, isLong ? { fields: 'left out: too long' } : fields)
  }

  function answeredPing() {
    missed = 0
  }

  /** A wish is served with the context of the call that it names, if that is still under way. */
  async function grant(wish: Wish, bytes: Uint8Array) {
    const { context } = calls.get(wish.call) ?? {}
    if (!context) return pipes.send({ type: 'refused', id: wish.id, failure: failureOf(new Error('The call has ended.')), now: Date.now() })
    if (++wishes > WISHES_MAX) return pipes.kill('it asks for too much at once')
    const { answer, bytes: sent, body } = await serveWish(wish, bytes, context)
    wishes -= 1
    try {
      pipes.send(answer, sent)
      const isWanted = () => calls.has(wish.call)
      if (body) await sendPieces(wish.id, body, { isWanted, now: context.now, send: pipes.send })
    } catch (error) {
      pipes.send({ type: 'refused', id: wish.id, failure: failureOf(error), now: context.now() })
    }
  }

  async function run(call: Call): Promise<unknown> {
    const { slug, name, context, args, request } = call
    const { storeId, connectionId, credentials, settings, signal } = context
    const id = ++last
    let grace: ReturnType<typeof setTimeout> | undefined
    const onAbort = () => {
      pipes.send({ type: 'abort', call: id })
      grace = setTimeout(giveUp, GRACE_MS)
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const giveUp = () => {
      overdue.add(id)
      reject(unavailable(`The adapter's code: ${OVERRUN}.`))
      leave()
    }
    calls.set(id, { ...call, lines: 0, partBytes: 0, resolve, reject })
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      const plain = { storeId, connectionId, credentials, settings, now: context.now() }
      const { body, ...inbound } = request ?? {}
      const asked = { type: 'call', call: id, slug, member: name, context: plain, args } as const
      pipes.send({ ...asked, ...(request && { request: inbound }), ...(call.member.streams && { streams: true }) }, body)
      return await promise
    } finally {
      calls.delete(id)
      clearTimeout(grace)
      signal.removeEventListener('abort', onAbort)
      endIfDone()
    }
  }

  /** The code of a call goes on, and nobody can stop it but with its process. That lets the other calls finish, if they can at all. */
  function leave() {
    if (leaving) return
    leaving = 'listening'
    isHeard = false
    pipes.send({ type: 'ping' })
    setTimeout(() => {
      if (!isHeard) return pipes.kill(WITHOUT_PAUSE)
      leaving = 'finishing'
      endIfDone()
    }, GRACE_MS)
  }

  function endIfDone() {
    if (leaving === 'finishing' && calls.size === 0) pipes.kill(OVERRUN)
  }

  const busy = () => turns.inside() + turns.waiting()

  return {
    pid: pipes.pid,
    ready: loaded.promise,
    ended: pipes.ended,
    busy,
    leaving: () => leaving !== undefined,
    stopped: () => pipes.cause() === NOT_NEEDED || pipes.cause() === OVERRUN,
    async call(call) {
      await turns.enter(call.context.signal)
      if (is === 'halted') pipes.wake()
      is = 'called'
      try {
        if (leaving) throw new Leaving()
        await loaded.promise.catch((error: Error) => Promise.reject(ended(error.message)))
        const cause = pipes.cause()
        if (cause !== undefined) throw ended(cause)
        call.context.signal.throwIfAborted()
        return await run(call)
      } finally {
        turns.leave()
        if (busy() === 0) is = 'idle'
      }
    },
    look(ping) {
      if (heldBytes(pipes.pid) > (memoryMb + BUFFERS_MB) * 1024 * 1024) return pipes.kill('it uses too much memory')
      if (!ping) return
      if (++missed > MISSED_MAX) return pipes.kill(WITHOUT_PAUSE)
      pipes.send({ type: 'ping' })
    },
    rest() {
      if (is !== 'idle' || leaving) return
      is = 'halted'
      pipes.rest()
    },
    async stop() {
      pipes.kill(NOT_NEEDED)
      await pipes.ended
    },
  }
}

const ended = (reason: string) => unavailable(`The adapter's process ended: ${reason}.`)

/** What a process holds for itself, without what it shares with others of its kind. 0 where that cannot be read. */
function heldBytes(pid: number): number {
  try {
    const [, resident, shared] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number)
    return (resident! - shared!) * PAGE_BYTES
  } catch {
    return 0
  }
}
