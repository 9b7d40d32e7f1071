import type { FetchInit } from '../../../plugins/carrier/contract.ts'
import type { Context } from '../../context.ts'
import { type RateWindow, SLOT_HOLD_MS, type Slot } from '../../data/shared/rate-limiter.ts'
import { OutboundError } from '../../lib/net/outbound.ts'
import { noteExchanges } from './exchanges.ts'
import { AdapterFailure, CIRCUIT_OPEN } from './failure.ts'
import { acquireSlot } from './slots.ts'
import type { Exchange } from './traces.model.ts'

/** Who goes out: one account at one carrier. */
export interface EgressCaller {
  readonly connectionId: string
  readonly label: string
  /** Hosts that it may reach. */
  readonly hosts: readonly string[]
  readonly windows: readonly RateWindow[]
  /** Takes its secrets out of a text. */
  readonly redact: (text: string) => string
  /** The part of the windows that it may use. */
  readonly share?: number
  /** For how many parcels it goes. */
  readonly parcels?: number
  /** Nothing leaves after this, by `performance.now()`: timers of a process that stood still come late. */
  readonly until?: number
}

export interface EgressClient {
  fetch(url: string, init?: FetchInit): Promise<Response>
  /** Whether the other side may have acted on what was asked. */
  readonly sent: boolean
  /** Why something was not even asked. An adapter may take it for a carrier that does not answer. */
  readonly heldBack: AdapterFailure | undefined
  /** What was asked and said, of the first twenty calls. */
  readonly exchanges: readonly Exchange[]
}

const ANSWER_BYTES_MAX = 20 * 1024 * 1024
const TIMEOUT_MS = 20_000
/** Of a body that streams, for the trace. */
const STREAM_KEPT = 8 * 1024
/** A stream counts as one call, which is over with its head; it may last as long as what it is asked for. */
const STREAM_MAX_MS = 600_000
/** Waiting longer for a turn is left to the job that asks again. */
const TURN_WAIT_MS = 3_000
/** What a carrier that says 429 without `Retry-After` is left alone for. */
const PAUSE_MS = 30_000
const PAUSE_MAX_MS = 3_600_000

/**
 * The one way to a carrier: declared hosts and checked addresses only, within the account's rate windows, past a circuit breaker, with
 * a deadline and a size, and everything written down.
 */
export function egressClient(context: Context, traveller: EgressCaller, signal: AbortSignal): EgressClient {
  const exchanges = noteExchanges(traveller.redact, traveller.parcels ?? 0)
  let sent = false
  let heldBack: AdapterFailure | undefined

  async function fetch(url: string, init: FetchInit = {}): Promise<Response> {
    const circuit = `${traveller.connectionId} ${URL.parse(url)?.host ?? ''}`
    const taken: Slot[] = []
    const take = async () => {
      taken.push(await nextTurn(context, traveller, signal))
    }
    const giveBack = () => {
      for (const turn of taken) void turn.release()
    }
    try {
      // Looked at first: what is not asked uses up no turn.
      passBreaker(traveller, context.gateway.breakers.look(circuit))
      await take()
      passBreaker(traveller, context.gateway.breakers.enter(circuit))
    } catch (error) {
      giveBack()
      if (error instanceof AdapterFailure) heldBack = error
      throw error
    }
    const { until = Number.POSITIVE_INFINITY } = traveller
    if (performance.now() >= until) {
      giveBack()
      heldBack = new AdapterFailure('timeout', sent, 'The call was held up on our side.')
      throw heldBack
    }
    const before = sent
    // Counted as sent before it is: a crash of the connection in between must not look like a refusal to connect.
    if ((init.method ?? 'GET') !== 'GET' && !init.readsOnly) sent = true
    const note = exchanges.begin(url, init)
    try {
      const answer = await reach(context, traveller, url, init, signal, take)
      if (!answer.stream) note(answer)
      if (answer.status >= 500) context.gateway.breakers.failed(circuit)
      else context.gateway.breakers.succeeded(circuit)
      if (answer.status === 429) await pause(context, traveller, answer.headers.get('retry-after'))
      const bodiless = answer.status === 204 || answer.status === 304
      if (answer.stream) {
        const body = noting(answer.stream, (said) => note({ status: answer.status, ...said }))
        return new Response(bodiless ? null : body, { status: answer.status, headers: answer.headers })
      }
      return new Response(bodiless ? null : (answer.body as Uint8Array<ArrayBuffer>), { status: answer.status, headers: answer.headers })
    } catch (error) {
      const failure = error instanceof OutboundError ? error : undefined
      if (failure && !failure.sent) sent = before
      // An address that we refuse ourselves says nothing of the carrier; a redirect that got no turn is an answer.
      if (error instanceof AdapterFailure) context.gateway.breakers.succeeded(circuit)
      else if (failure?.reason !== 'refused') context.gateway.breakers.failed(circuit)
      note({ error: failure?.message ?? 'No answer.' })
      if (failure?.reason !== 'refused') throw error
      heldBack = new AdapterFailure('unavailable', sent, notAllowed(traveller, failure), {}, { cause: failure })
      throw heldBack
    } finally {
      giveBack()
    }
  }

  return {
    fetch,
    get exchanges() {
      return exchanges.read()
    },
    get sent() {
      return sent
    },
    get heldBack() {
      return heldBack
    },
  }
}

/** Passes a body on, and tells at its end what it began with, or why it has none. */
function noting(stream: ReadableStream<Uint8Array>, tell: (said: { body: Uint8Array; error?: string }) => void) {
  const reader = stream.getReader()
  const head: Uint8Array[] = []
  let kept = 0
  const said = () => Buffer.concat(head)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) {
            tell({ body: said() })
            return controller.close()
          }
          if (kept < STREAM_KEPT) head.push(value.slice(0, STREAM_KEPT - kept))
          kept += value.length
          controller.enqueue(value)
        } catch (error) {
          tell({ body: said(), error: error instanceof OutboundError ? error.message : 'It broke off.' })
          throw error
        }
      },
      async cancel() {
        tell({ body: said(), error: 'It was left before its end.' })
        await reader.cancel().catch(() => {})
      },
    },
    { highWaterMark: 0 },
  )
}

function reach(
  context: Context,
  { hosts, until }: EgressCaller,
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
    // What lasted longer might arrive when its turn is no longer counted.
    timeoutMs: Math.min(timeoutMs, streams ? STREAM_MAX_MS : SLOT_HOLD_MS),
    ...(streams && { isStreamed: streams }),
    allowedHosts: hosts,
    maxBytes: ANSWER_BYTES_MAX,
    signal,
    ...(until !== undefined && { notAfter: until }),
  })
}

/** The account's windows, shared by all processes. A short wait is waited out; a long one is a `rate_limited`. */
async function nextTurn(context: Context, { connectionId, label, windows, share = 1 }: EgressCaller, signal: AbortSignal): Promise<Slot> {
  for (;;) {
    const turn = await acquireSlot(context, connectionId, windows, share)
    const { waitMs } = turn
    if (waitMs === 0) return turn
    if (waitMs > TURN_WAIT_MS)
      throw new AdapterFailure('rate_limited', false, `The calls that ${label} allows this account are used up.`, {
        retryAfterSeconds: waitMs / 1000,
      })
    await Bun.sleep(waitMs + Math.random() * 50)
    signal.throwIfAborted()
  }
}

function passBreaker({ label }: EgressCaller, waitMs: number) {
  if (waitMs > 0)
    throw new AdapterFailure('unavailable', false, `${label} has not been answering; it is asked again in ${Math.ceil(waitMs / 1000)} s.`, {
      code: CIRCUIT_OPEN,
      retryAfterSeconds: waitMs / 1000,
    })
}

/** It is the adapter that has to be corrected, and whoever wrote it has to know in what. */
const notAllowed = ({ label, hosts }: EgressCaller, { message }: OutboundError) =>
  `The adapter of ${label} asked for an address that it may not reach. ${message} It declares ${hosts.join(', ') || 'none'} (net).`

/** `Retry-After`, in seconds or as a date, holds for the whole account. */
async function pause({ shared }: Context, { connectionId }: EgressCaller, retryAfter: string | null) {
  const written = retryAfter?.trim() ?? ''
  const ms = /^\d+$/.test(written) ? Number(written) * 1000 : Date.parse(written) - Date.now()
  await shared.rateLimiter.pause(connectionId, Number.isFinite(ms) ? Math.min(Math.max(ms, 1_000), PAUSE_MAX_MS) : PAUSE_MS)
}
