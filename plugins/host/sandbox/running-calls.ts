import { malformedResult, resultLimits } from '../check-result.ts'
import { type AdapterCall, restoreError, unavailableError } from './call.ts'
import { failureOf } from './failure.ts'
import { type HostCall, handleHostCall, sendBody } from './handle-host-call.ts'
import { parseJson, parseLongJson } from './parse-json.ts'
import type { ProcessPipes } from './pipes.ts'
import type { ProcessMessage } from './protocol.ts'

/** Reason to end a process whose code runs past the deadline of a call. */
export const OVERRUN = 'a call did not end when its time was over'
const UNASKED = 'it answered what nobody asked'
/** Time in milliseconds for an aborted call to end. Afterwards the process has as long again to answer a ping. */
export const GRACE_MS = 1_000
const HOST_CALLS_MAX = 64
/** Maximum number of log lines of a call; the runtime itself stops at 100. */
const LINES_MAX = 200
const FIELDS_LENGTH_MAX = 10_000

/** Message of a process about one of its calls. */
export type CallMessage = Exclude<ProcessMessage, { type: 'ready' | 'failed' | 'pong' }>

interface Pending extends AdapterCall {
  /** Number of log lines so far. */
  lines: number
  /** Total bytes of JSON of its parts so far. */
  partBytes: number
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Calls of one process that run: their results, parts and log lines, and the host calls that they make. */
export class RunningCalls {
  readonly #pipes: Pick<ProcessPipes, 'send' | 'kill'>
  readonly #pending = new Map<number, Pending>()
  /** Ids of aborted calls whose result may still come. */
  readonly #overdue = new Set<number>()
  #lastId = 0
  #hostCalls = 0

  constructor(pipes: Pick<ProcessPipes, 'send' | 'kill'>) {
    this.#pipes = pipes
  }

  /** Returns the number of running calls. */
  get count(): number {
    return this.#pending.size
  }

  /** Runs a call. Calls `onOverrun` if it is still running some time after its signal was aborted. */
  async run(call: AdapterCall, onOverrun: () => void): Promise<unknown> {
    const id = ++this.#lastId
    const { signal } = call.context
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    let grace: ReturnType<typeof setTimeout> | undefined
    const giveUp = () => {
      this.#overdue.add(id)
      reject(unavailableError(`The adapter's code: ${OVERRUN}.`))
      onOverrun()
    }
    const onAbort = () => {
      this.#pipes.send({ type: 'abort', call: id })
      grace = setTimeout(giveUp, GRACE_MS)
    }
    this.#pending.set(id, { ...call, lines: 0, partBytes: 0, resolve, reject })
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      this.#send(id, call)
      return await promise
    } finally {
      this.#pending.delete(id)
      clearTimeout(grace)
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** Handles a message about a call. Kills the process if it answers what nobody asked. */
  handle(message: CallMessage, bytes: Uint8Array): void {
    if (message.type === 'log') this.#log(message)
    else if (message.type === 'fetch' || message.type === 'storage') void this.#serveHostCall(message, bytes)
    else if (message.type === 'part') this.#handlePart(message.call, bytes)
    else this.#settle(message, bytes)
  }

  /** Rejects all running calls, because their process has ended. */
  rejectAll(error: Error): void {
    for (const { reject } of this.#pending.values()) reject(error)
    this.#pending.clear()
  }

  #send(id: number, { slug, name, context, args, request, member }: AdapterCall) {
    const { storeId, connectionId, credentials, settings } = context
    const plain = { storeId, connectionId, credentials, settings, now: context.now() }
    const { body, ...inbound } = request ?? {}
    const asked = { type: 'call', call: id, slug, member: name, context: plain, args } as const
    this.#pipes.send({ ...asked, ...(request && { request: inbound }), ...(member.streams && { streams: true }) }, body)
  }

  /** Ends a call with its result or its failure. */
  #settle(message: Extract<CallMessage, { type: 'result' | 'failure' }>, bytes: Uint8Array) {
    const call = this.#pending.get(message.call)
    if (!call) {
      if (!this.#overdue.delete(message.call)) this.#pipes.kill(UNASKED)
      return
    }
    this.#pending.delete(message.call)
    if (message.type === 'result') void handleResult(call, bytes)
    else call.reject(restoreError(message.failure))
  }

  /** Parts are short, so each is parsed synchronously. */
  #handlePart(id: number, bytes: Uint8Array) {
    const call = this.#pending.get(id)
    if (!call) return this.#overdue.has(id) ? undefined : this.#pipes.kill(UNASKED)
    const { jsonBytes } = resultLimits(call.member)
    call.partBytes += bytes.length
    if (!call.onPart || call.partBytes > jsonBytes)
      return this.#pipes.kill(`it streams more than ${jsonBytes} bytes of JSON, or for a call that does not stream`)
    try {
      call.onPart(parseJson(bytes))
    } catch {
      this.#pipes.kill('it streams invalid JSON')
    }
  }

  #log({ call: id, message, fields }: Extract<ProcessMessage, { type: 'log' }>) {
    const call = this.#pending.get(id)
    if (!call) return
    if (++call.lines > LINES_MAX) return this.#pipes.kill('it writes too much into the log')
    const isLong = fields !== undefined && JSON.stringify(fields).length > FIELDS_LENGTH_MAX
    call.context.log(message, isLong ? { fields: 'left out: too long' } : fields)
  }

  /** Handles a host call with the context of the call that it belongs to, if that still runs. */
  async #serveHostCall(hostCall: HostCall, bytes: Uint8Array) {
    const send: ProcessPipes['send'] = (message, sentBytes) => this.#pipes.send(message, sentBytes)
    const { context } = this.#pending.get(hostCall.call) ?? {}
    if (!context) return send({ type: 'refused', id: hostCall.id, failure: failureOf(new Error('The call has ended.')), now: Date.now() })
    if (++this.#hostCalls > HOST_CALLS_MAX) return this.#pipes.kill('it asks for too much at once')
    const { answer, bytes: sent, body } = await handleHostCall(hostCall, bytes, context)
    this.#hostCalls -= 1
    try {
      send(answer, sent)
      const isWanted = () => this.#pending.has(hostCall.call)
      if (body) await sendBody(hostCall.id, body, { isWanted, now: context.now, send })
    } catch (error) {
      send({ type: 'refused', id: hostCall.id, failure: failureOf(error), now: context.now() })
    }
  }
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
