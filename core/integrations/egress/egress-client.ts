import type { FetchInit } from '../../../plugins/carrier/contract.ts'
import type { Context } from '../../context.ts'
import { type RateWindow, SLOT_HOLD_MS, type Slot } from '../../data/shared/rate-limiter.ts'
import { OutboundError } from '../../lib/net/outbound-error.ts'
import { AdapterFailure, CIRCUIT_OPEN } from './adapter-failure.ts'
import { createExchangeRecorder } from './exchanges.ts'
import { acquireSlot } from './slots.ts'
import type { Exchange } from './traces.model.ts'

/** Account on whose behalf requests leave: one connection to one platform. */
export interface EgressCaller {
  readonly connectionId: string
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
  const exchanges = createExchangeRecorder(origin.redact, origin.parcelCount ?? 0)
  let sent = false
  let heldBack: AdapterFailure | undefined

  async function fetch(url: string, init: FetchInit = {}): Promise<Response> {
    const circuit = `${origin.connectionId} ${URL.parse(url)?.host ?? ''}`
    const slots: Slot[] = []
    const acquireNext = async () => {
      slots.push(await waitForSlot(context, origin, signal))
    }
    const releaseSlots = () => {
      for (const slot of slots) void slot.release()
    }
    try {
      // Checked before acquiring a slot: a call that the breaker rejects uses no slot.
      assertCircuitClosed(origin, context.egress.breakers.peek(circuit))
      await acquireNext()
      assertCircuitClosed(origin, context.egress.breakers.tryEnter(circuit))
    } catch (error) {
      releaseSlots()
      if (error instanceof AdapterFailure) heldBack = error
      throw error
    }
    const { notAfter: until = Number.POSITIVE_INFINITY } = origin
    if (performance.now() >= until) {
      releaseSlots()
      heldBack = new AdapterFailure('timeout', 'The call was delayed on our side and did not leave in time.', { wasSent: sent })
      throw heldBack
    }
    const before = sent
    // Marked as sent beforehand: a connection that breaks in between must not look like a refused connection.
    if ((init.method ?? 'GET') !== 'GET' && !init.readsOnly) sent = true
    const note = exchanges.start(url, init)
    try {
      const answer = await sendRequest(context, origin, url, init, signal, acquireNext)
      if (!answer.stream) note(answer)
      if (answer.status >= 500) context.egress.breakers.recordFailure(circuit)
      else context.egress.breakers.recordSuccess(circuit)
      if (answer.status === 429) await pause(context, origin, answer.headers.get('retry-after'))
      const bodiless = answer.status === 204 || answer.status === 304
      if (answer.stream) {
        const body = traceStream(answer.stream, (received) => note({ status: answer.status, ...received }))
        return new Response(bodiless ? null : body, { status: answer.status, headers: answer.headers })
      }
      return new Response(bodiless ? null : (answer.body as Uint8Array<ArrayBuffer>), { status: answer.status, headers: answer.headers })
    } catch (error) {
      const failure = error instanceof OutboundError ? error : undefined
      if (failure && !failure.wasSent) sent = before
      // An address that this server refuses says nothing about the carrier. A redirect without a slot still is an answer.
      if (error instanceof AdapterFailure) context.egress.breakers.recordSuccess(circuit)
      else if (failure?.reason !== 'refused') context.egress.breakers.recordFailure(circuit)
      note({ error: failure?.message ?? 'No answer.' })
      if (failure?.reason !== 'refused') throw error
      heldBack = new AdapterFailure('unavailable', notAllowedMessage(origin, failure), { wasSent: sent, cause: failure })
      throw heldBack
    } finally {
      releaseSlots()
    }
  }

  return {
    fetch,
    get exchanges() {
      return exchanges.read()
    },
    get wasSent() {
      return sent
    },
    get throttleFailure() {
      return heldBack
    },
  }
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
async function waitForSlot(
  context: Context,
  { connectionId, label, windows, share = 1 }: EgressCaller,
  signal: AbortSignal,
): Promise<Slot> {
  for (;;) {
    const slot = await acquireSlot(context, connectionId, windows, share)
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
