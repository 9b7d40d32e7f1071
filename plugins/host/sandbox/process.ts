import { readFileSync } from 'node:fs'
import { Value } from '@sinclair/typebox/value'
import { NO_ADAPTER } from '../../kind.ts'
import { malformedResult, resultLimits } from '../check-result.ts'
import { type AdapterCall, restoreError, unavailableError } from './call.ts'
import type { ProcessLaunch } from './deno.ts'
import { failureOf } from './failure.ts'
import { type HostCall, handleHostCall, sendBody } from './handle-host-call.ts'
import { parseJson, parseLongJson } from './parse-json.ts'
import { openPipes } from './pipes.ts'
import { type DeclaredAdapter, Manifest, type ProcessMessage } from './protocol.ts'
import { semaphore } from './semaphore.ts'

/** Running process of one adapter. A failure of it affects only its own calls. */
export interface AdapterProcess {
  readonly pid: number
  /** Resolves with the declarations of its bundle; rejects if it did not load. */
  readonly ready: Promise<readonly DeclaredAdapter[]>
  /** Calls a function of the adapter. Waits while 16 calls run. */
  call(call: AdapterCall): Promise<unknown>
  /** Returns the number of waiting and running calls. */
  busy(): number
  /** Kills the process if it uses too much memory; with `ping` also if it missed several pings. */
  look(ping: boolean): void
  /** Suspends the process while no call runs, until the next call. */
  rest(): void
  /** Kills the process and waits for its end. */
  stop(): Promise<void>
  /** Returns true if it accepts no further calls, because a call exceeded its deadline. It ends when the other calls are done. */
  leaving(): boolean
  /** Returns true if it was ended because it was not needed, or for a call that overran; false if it failed itself. */
  stopped(): boolean
  /** Resolves with the reason of its end. */
  readonly ended: Promise<string>
}

/** Limits of a process: heap in MiB, and time to load in milliseconds. */
export interface ProcessLimits {
  readonly memoryMb: number
  readonly loadMs: number
}

const CALLS_AT_ONCE = 16
const CALLS_WAITING = 200
/** Time in milliseconds for an aborted call to end. Afterwards the process has as long again to answer a ping. */
const GRACE_MS = 1_000
const MISSED_MAX = 4
const HOST_CALLS_MAX = 64
/** Maximum number of log lines of a call; the runtime itself stops at 100. */
const LINES_MAX = 200
const FIELDS_LENGTH_MAX = 10_000
const MANIFEST_BYTES_MAX = 2 * 1024 * 1024
/** Memory for buffers besides the heap: results and labels of 20 MB, several at a time. */
const BUFFERS_MB = 96
const PAGE_BYTES = 4096
const NOT_NEEDED = 'it is not needed any more'
const OVERRUN = 'a call did not end when its time was over'
const UNASKED = 'it answered what nobody asked'
const WITHOUT_PAUSE = 'it does not answer: it works without a pause, or not at all'

/** Thrown by a process that accepts no further calls. The call was not started. */
export class ProcessDraining extends Error {}

interface Pending extends AdapterCall {
  /** Number of log lines so far. */
  lines: number
  /** Total bytes of JSON of its parts so far. */
  partBytes: number
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Starts a process and sends it the bundle's code. `report` receives its error output, shortened. */
export function startProcess(
  launch: ProcessLaunch,
  code: string,
  { memoryMb, loadMs }: ProcessLimits,
  report: (text: string) => void,
): AdapterProcess {
  const calls = new Map<number, Pending>()
  /** Ids of aborted calls whose result may still come. */
  const overdue = new Set<number>()
  const slots = semaphore(CALLS_AT_ONCE, CALLS_WAITING, 'this adapter')
  const loaded = Promise.withResolvers<readonly DeclaredAdapter[]>()
  let last = 0
  let hostCalls = 0
  let missed = 0
  let isLoaded = false
  let isResponsive = true
  let leaving: 'listening' | 'finishing' | undefined
  let state: 'new' | 'called' | 'idle' | 'halted' = 'new'

  const pipes = openPipes(launch, { take: handleMessage, over: handleEnd, said: report })
  const loading = setTimeout(() => pipes.kill(`it did not load within ${loadMs} ms`), loadMs)
  loaded.promise.then(
    () => clearTimeout(loading),
    (error: Error) => pipes.kill(error.message),
  )
  pipes.send({ type: 'load' }, new TextEncoder().encode(code))

  function handleEnd(reason: string) {
    clearTimeout(loading)
    loaded.reject(new Error(reason))
    for (const { reject } of calls.values()) reject(endedError(reason))
    calls.clear()
  }

  function handleMessage(message: ProcessMessage, bytes: Uint8Array) {
    isResponsive = true
    if (message.type === 'ready') return handleReady(bytes)
    if (message.type === 'failed') return loaded.reject(new Error(message.message))
    if (message.type === 'pong') return handlePong()
    if (message.type === 'log') return log(message)
    if (message.type === 'fetch' || message.type === 'storage') return void serveHostCall(message, bytes)
    const call = calls.get(message.call)
    if (message.type === 'part') return call ? handlePart(call, bytes) : overdue.has(message.call) || pipes.kill(UNASKED)
    if (!call && overdue.delete(message.call)) return
    if (!call) return pipes.kill(UNASKED)
    calls.delete(message.call)
    if (message.type === 'result') void handleResult(call, bytes)
    else call.reject(restoreError(message.failure))
  }

  function handleReady(bytes: Uint8Array) {
    if (isLoaded) return pipes.kill('it sent "ready" twice')
    isLoaded = true
    if (bytes.length > MANIFEST_BYTES_MAX) return loaded.reject(new Error('declares too much'))
    const manifest = parseJson(bytes)
    if (Value.Check(Manifest, manifest)) loaded.resolve(manifest)
    else loaded.reject(new Error(NO_ADAPTER))
  }

  async function handleResult({ name, member, resolve, reject }: Pending, bytes: Uint8Array) {
    const { jsonBytes, values } = resultLimits(member)
    if (bytes.length > jsonBytes) return reject(malformedResult(name, `more than ${jsonBytes} bytes of JSON`))
    try {
      resolve(bytes.length === 0 ? undefined : await parseLongJson(bytes, values))
    } catch (error) {
      reject(malformedResult(name, error instanceof Error ? error.message : 'no JSON'))
    }
  }

  /** Parts are short, so each is parsed synchronously. */
  function handlePart(call: Pending, bytes: Uint8Array) {
    const { jsonBytes } = resultLimits(call.member)
    call.partBytes += bytes.length
    if (!call.onPart || call.partBytes > jsonBytes)
      return pipes.kill(`it streams more than ${jsonBytes} bytes of JSON, or for a call that does not stream`)
    try {
      call.onPart(parseJson(bytes))
    } catch {
      pipes.kill('it streams invalid JSON')
    }
  }

  function log({ call: id, message, fields }: Extract<ProcessMessage, { type: 'log' }>) {
    const call = calls.get(id)
    if (!call) return
    if (++call.lines > LINES_MAX) return pipes.kill('it writes too much into the log')
    const isLong = fields !== undefined && JSON.stringify(fields).length > FIELDS_LENGTH_MAX
    call.context.log(message, isLong ? { fields: 'left out: too long' } : fields)
  }

  function handlePong() {
    missed = 0
  }

  /** Handles a host call with the context of the call that it belongs to, if that still runs. */
  async function serveHostCall(hostCall: HostCall, bytes: Uint8Array) {
    const { context } = calls.get(hostCall.call) ?? {}
    if (!context)
      return pipes.send({ type: 'refused', id: hostCall.id, failure: failureOf(new Error('The call has ended.')), now: Date.now() })
    if (++hostCalls > HOST_CALLS_MAX) return pipes.kill('it asks for too much at once')
    const { answer, bytes: sent, body } = await handleHostCall(hostCall, bytes, context)
    hostCalls -= 1
    try {
      pipes.send(answer, sent)
      const isWanted = () => calls.has(hostCall.call)
      if (body) await sendBody(hostCall.id, body, { isWanted, now: context.now, send: pipes.send })
    } catch (error) {
      pipes.send({ type: 'refused', id: hostCall.id, failure: failureOf(error), now: context.now() })
    }
  }

  async function run(call: AdapterCall): Promise<unknown> {
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
      reject(unavailableError(`The adapter's code: ${OVERRUN}.`))
      drain()
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

  /**
   * Stops accepting calls after one overran its deadline: only ending the process stops its code. If the process answers a ping, its other
   * calls may finish first.
   */
  function drain() {
    if (leaving) return
    leaving = 'listening'
    isResponsive = false
    pipes.send({ type: 'ping' })
    setTimeout(() => {
      if (!isResponsive) return pipes.kill(WITHOUT_PAUSE)
      leaving = 'finishing'
      endIfDone()
    }, GRACE_MS)
  }

  function endIfDone() {
    if (leaving === 'finishing' && calls.size === 0) pipes.kill(OVERRUN)
  }

  const busy = () => slots.inside() + slots.waiting()

  return {
    pid: pipes.pid,
    ready: loaded.promise,
    ended: pipes.ended,
    busy,
    leaving: () => leaving !== undefined,
    stopped: () => pipes.cause() === NOT_NEEDED || pipes.cause() === OVERRUN,
    async call(call) {
      await slots.enter(call.context.signal)
      if (state === 'halted') pipes.wake()
      state = 'called'
      try {
        if (leaving) throw new ProcessDraining()
        await loaded.promise.catch((error: Error) => Promise.reject(endedError(error.message)))
        const cause = pipes.cause()
        if (cause !== undefined) throw endedError(cause)
        call.context.signal.throwIfAborted()
        return await run(call)
      } finally {
        slots.leave()
        if (busy() === 0) state = 'idle'
      }
    },
    look(ping) {
      if (privateBytes(pipes.pid) > (memoryMb + BUFFERS_MB) * 1024 * 1024) return pipes.kill('it uses too much memory')
      if (!ping) return
      if (++missed > MISSED_MAX) return pipes.kill(WITHOUT_PAUSE)
      pipes.send({ type: 'ping' })
    },
    rest() {
      if (state !== 'idle' || leaving) return
      state = 'halted'
      pipes.rest()
    },
    async stop() {
      pipes.kill(NOT_NEEDED)
      await pipes.ended
    },
  }
}

const endedError = (reason: string) => unavailableError(`The adapter's process ended: ${reason}.`)

/** Returns the resident memory of a process without shared pages; 0 if it cannot be read. */
function privateBytes(pid: number): number {
  try {
    const [, resident, shared] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number)
    return (resident! - shared!) * PAGE_BYTES
  } catch {
    return 0
  }
}
