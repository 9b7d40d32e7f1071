import type { FetchInit } from '../../../plugins/carrier/contract.ts'
import type { Context } from '../../context.ts'
import { type RateWindow, SLOT_HOLD_MS, type Slot } from '../../data/shared/rate-limiter.ts'
import { OutboundError } from '../../lib/net/outbound-error.ts'
import type { OutboundResponse } from '../../lib/net/outbound-request.ts'
import { AdapterFailure, CIRCUIT_OPEN } from './adapter-failure.ts'
import type { EgressAccount } from './call-log.queries.ts'
import { createExchangeRecorder } from './exchanges.ts'
import { acquireSlot } from './slots.ts'
import type { Exchange } from './traces.model.ts'

/** Account on whose behalf requests leave: one connection to one platform. */
export interface EgressCaller extends EgressAccount {
  readonly label: string
  /** Hosts that it may reach. */
  readonly hosts: readonly string[]
  readonly windows: readonly RateWindow[]
  /** Removes the connection's secrets from a text. */
  readonly redact: (text: string) => string
  /** Fraction of every rate window that it may use, 0 to 1; 1 by default. */
  readonly share?: number
  /** Number of parcels that the operation concerns; a larger number keeps longer bodies in the trace. */
  readonly parcelCount?: number
  /**
   * Time by `performance.now()` after which nothing leaves. Timers alone are not enough: they fire late in a process that was suspended.
   */
  readonly notAfter?: number
}

/** HTTP client of one operation, with the record of its requests. */
export interface EgressClient {
  fetch(url: string, init?: FetchInit): Promise<Response>
  /** True if the provider may have acted on a request. */
  readonly wasSent: boolean
  /** Reason for which the last request did not leave at all. An adapter may mistake it for a carrier that does not answer. */
  readonly throttleFailure: AdapterFailure | undefined
  /** First twenty requests and their responses, with secrets removed. */
  readonly exchanges: readonly Exchange[]
}

const RESPONSE_BYTES_MAX = 20 * 1024 * 1024
const TIMEOUT_MS = 20_000
/** Bytes of a streamed body that the trace keeps. */
const STREAM_TRACED_BYTES = 8 * 1024
/** Longest duration of a streamed response, in milliseconds. A stream counts as one call, which ends with its headers. */
const STREAM_MAX_MS = 600_000
/** Longest wait for a slot, in milliseconds. After a longer wait the caller's job must retry. */
const SLOT_WAIT_MS = 3_000
/** Milliseconds for which an account is paused after a 429 without `Retry-After`. */
const PAUSE_MS = 30_000
const PAUSE_MAX_MS = 3_600_000

/**
 * Creates the client through which every outbound call of an operation leaves. It enforces declared hosts, checked addresses, the account's
 * rate windows, a circuit breaker, a deadline and a size limit, and records each request.
 */
export function createEgressClient(context: Context, origin: EgressCaller, signal: AbortSignal): EgressClient {
  return new OperationClient(context, origin, signal)
}

class OperationClient implements EgressClient {
  readonly #recorder: ReturnType<typeof createExchangeRecorder>
  wasSent = false
  throttleFailure: AdapterFailure | undefined

  constructor(
    readonly context: Context,
    readonly origin: EgressCaller,
    readonly signal: AbortSignal,
  ) {
    this.#recorder = createExchangeRecorder(origin.redact, origin.parcelCount ?? 0)
    // An adapter may call it without its object.
    this.fetch = this.fetch.bind(this)
  }

  get exchanges() {
    return this.#recorder.read()
  }

  async fetch(url: string, init: FetchInit = {}): Promise<Response> {
    const circuit = `${this.origin.connectionId} ${URL.parse(url)?.host ?? ''}`
    const slots = new HeldSlots(() => waitForSlot(this.context, this.origin, this.signal))
    try {
      await this.#admit(circuit, slots)
      return await this.#send(circuit, slots, url, init)
    } finally {
      slots.release()
    }
  }

  /** Lets a request leave: its circuit is closed, it has a slot, and its time is not over. Throws an `AdapterFailure` otherwise. */
  async #admit(circuit: string, slots: HeldSlots) {
    const { breakers } = this.context.egress
    try {
      // Checked before acquiring a slot: a call that the breaker rejects uses no slot.
      assertCircuitClosed(this.origin, breakers.peek(circuit))
      await slots.acquire()
      assertCircuitClosed(this.origin, breakers.tryEnter(circuit))
    } catch (error) {
      if (error instanceof AdapterFailure) this.throttleFailure = error
      throw error
    }
    if (performance.now() < (this.origin.notAfter ?? Number.POSITIVE_INFINITY)) return
    this.throttleFailure = new AdapterFailure('timeout', 'The call was delayed on our side and did not leave in time.', {
      wasSent: this.wasSent,
    })
    throw this.throttleFailure
  }

  async #send(circuit: string, slots: HeldSlots, url: string, init: FetchInit): Promise<Response> {
    const wasSentBefore = this.wasSent
    // Marked as sent beforehand: a connection that breaks in between must not look like a refused connection.
    if ((init.method ?? 'GET') !== 'GET' && !init.readsOnly) this.wasSent = true
    const record = this.#recorder.start(url, init)
    try {
      const answer = await sendRequest(this.context, this.origin, url, init, this.signal, slots.acquire)
      if (!answer.stream) record(answer)
      await this.#noteAnswer(circuit, answer)
      return toResponse(answer, record)
    } catch (error) {
      if (error instanceof OutboundError && !error.wasSent) this.wasSent = wasSentBefore
      throw this.#noteFailure(circuit, error, record)
    }
  }

  async #noteAnswer(circuit: string, { status, headers }: OutboundResponse) {
    const { breakers } = this.context.egress
    if (status >= 500) breakers.recordFailure(circuit)
    else breakers.recordSuccess(circuit)
    if (status === 429) await pause(this.context, this.origin, headers.get('retry-after'))
  }

  /** Records a request without an answer. Returns the error to throw: another one for an address that this server refuses. */
  #noteFailure(circuit: string, error: unknown, record: ExchangeRecord): unknown {
    const { breakers } = this.context.egress
    const failure = error instanceof OutboundError ? error : undefined
    // An address that this server refuses says nothing about the carrier. A redirect without a slot still is an answer.
    if (error instanceof AdapterFailure) breakers.recordSuccess(circuit)
    else if (failure?.reason !== 'refused') breakers.recordFailure(circuit)
    record({ error: failure?.message ?? 'No answer.' })
    if (failure?.reason !== 'refused') return error
    this.throttleFailure = new AdapterFailure('unavailable', notAllowedMessage(this.origin, failure), {
      wasSent: this.wasSent,
      cause: failure,
    })
    return this.throttleFailure
  }
}

/** Slots of one request and its redirects, released together. */
class HeldSlots {
  readonly #held: Slot[] = []

  constructor(readonly next: () => Promise<Slot>) {}

  readonly acquire = async () => {
    this.#held.push(await this.next())
  }

  release() {
    for (const slot of this.#held) void slot.release()
  }
}

type ExchangeRecord = ReturnType<ReturnType<typeof createExchangeRecorder>['start']>

function toResponse({ status, headers, body, stream }: OutboundResponse, record: ExchangeRecord): Response {
  const isBodiless = status === 204 || status === 304
  const content = stream ? traceStream(stream, (received) => record({ status, ...received })) : (body as Uint8Array<ArrayBuffer>)
  return new Response(isBodiless ? null : content, { status, headers })
}

/** Passes a body through. At its end, reports its first bytes, and an error if it ended early. */
function traceStream(stream: ReadableStream<Uint8Array>, report: (received: { body: Uint8Array; error?: string }) => void) {
  const reader = stream.getReader()
  const head: Uint8Array[] = []
  let keptBytes = 0
  const firstBytes = () => Buffer.concat(head)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) {
            report({ body: firstBytes() })
            return controller.close()
          }
          if (keptBytes < STREAM_TRACED_BYTES) head.push(value.slice(0, STREAM_TRACED_BYTES - keptBytes))
          keptBytes += value.length
          controller.enqueue(value)
        } catch (error) {
          report({
            body: firstBytes(),
            error: error instanceof OutboundError ? error.message : 'The connection broke before the end of the body.',
          })
          throw error
        }
      },
      async cancel() {
        report({ body: firstBytes(), error: 'The reader stopped before the end of the body.' })
        await reader.cancel().catch(() => {})
      },
    },
    { highWaterMark: 0 },
  )
}

function sendRequest(
  context: Context,
  { hosts, notAfter: until }: EgressCaller,
  url: string,
  init: FetchInit,
  signal: AbortSignal,
  beforeRedirect: () => Promise<void>,
) {
  const { method = 'GET', headers = {}, body, followRedirects = false, timeoutMs = TIMEOUT_MS, streams = false } = init
  return context.outbound({
    url,
    method,
    headers,
    ...(body !== undefined && { body }),
    followRedirects,
    beforeRedirect,
    // A longer call could arrive after its slot stopped counting.
    timeoutMs: Math.min(timeoutMs, streams ? STREAM_MAX_MS : SLOT_HOLD_MS),
    ...(streams && { isStreamed: streams }),
    allowedHosts: hosts,
    maxBytes: RESPONSE_BYTES_MAX,
    signal,
    ...(until !== undefined && { notAfter: until }),
  })
}

/**
 * Acquires a slot in the account's rate windows, which all processes share. Waits up to three seconds; throws `rate_limited` beyond that.
 */
async function waitForSlot(context: Context, origin: EgressCaller, signal: AbortSignal): Promise<Slot> {
  const { label, windows, share = 1 } = origin
  for (;;) {
    const slot = await acquireSlot(context, origin, windows, share)
    const { waitMs } = slot
    if (waitMs === 0) return slot
    if (waitMs > SLOT_WAIT_MS)
      throw new AdapterFailure('rate_limited', `The rate limit of ${label} for this account is reached.`, {
        wasSent: false,
        upstream: {
          retryAfterSeconds: waitMs / 1000,
        },
      })
    await Bun.sleep(waitMs + Math.random() * 50)
    signal.throwIfAborted()
  }
}

function assertCircuitClosed({ label }: EgressCaller, waitMs: number) {
  if (waitMs > 0)
    throw new AdapterFailure('unavailable', `${label} has not been answering; it is asked again in ${Math.ceil(waitMs / 1000)} s.`, {
      wasSent: false,
      upstream: {
        code: CIRCUIT_OPEN,
        retryAfterSeconds: waitMs / 1000,
      },
    })
}

/** Explains to the author of an adapter which address it requested and which hosts it declares. */
const notAllowedMessage = ({ label, hosts }: EgressCaller, { message }: OutboundError) =>
  `The adapter of ${label} asked for an address that it may not reach. ${message} It declares ${hosts.join(', ') || 'none'} (net).`

/** Pauses the whole account for the duration of `Retry-After`, in seconds or as a date; between 1 s and 1 h. */
async function pause({ shared }: Context, { connectionId }: EgressCaller, retryAfter: string | null) {
  const written = retryAfter?.trim() ?? ''
  const ms = /^\d+$/.test(written) ? Number(written) * 1000 : Date.parse(written) - Date.now()
  await shared.rateLimiter.pause(connectionId, Number.isFinite(ms) ? Math.min(Math.max(ms, 1_000), PAUSE_MAX_MS) : PAUSE_MS)
}
