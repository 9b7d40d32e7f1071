import type { FetchInit } from '../../plugins/carrier/contract.ts'
import type { Context } from '../context.ts'
import type { Turn, Window } from '../data/turns.ts'
import { OutboundError } from '../lib/outbound.ts'
import { CarrierFailure, CIRCUIT_OPEN } from './failure.ts'
import { redactUrl } from './redact.ts'
import type { Exchange } from './traces.model.ts'
import { rememberedTurns } from './turns.ts'

/** Who goes out: one account at one carrier. */
export interface Traveller {
  readonly connectionId: string
  readonly label: string
  /** Hosts that it may reach. */
  readonly hosts: readonly string[]
  readonly windows: readonly Window[]
  /** Takes its secrets out of a text. */
  readonly redact: (text: string) => string
  /** The part of the windows that it may use. */
  readonly share?: number
}

export interface WayOut {
  fetch(url: string, init?: FetchInit): Promise<Response>
  /** Whether the other side may have acted on what was asked. */
  readonly sent: boolean
  /** Why something was not even asked. An adapter may take it for a carrier that does not answer. */
  readonly heldBack: CarrierFailure | undefined
  /** What was asked and said, of the first twenty calls. */
  readonly exchanges: readonly Exchange[]
  /** How many calls went out. */
  readonly calls: number
}

const ANSWER_BYTES_MAX = 20 * 1024 * 1024
/** Waiting longer for a turn is left to the job that asks again. */
const TURN_WAIT_MS = 3_000
/** What a carrier that says 429 without `Retry-After` is left alone for. */
const PAUSE_MS = 30_000
const PAUSE_MAX_MS = 3_600_000
const EXCHANGES_MAX = 20
const REQUEST_KEPT = 4 * 1024
const RESPONSE_KEPT = 8 * 1024

/**
 * The one way to a carrier: declared hosts and checked addresses only, within the account's rate windows, past a circuit breaker, with
 * a deadline and a size, and everything written down.
 */
export function wayOut(context: Context, traveller: Traveller, signal: AbortSignal): WayOut {
  const exchanges: Exchange[] = []
  let sent = false
  let heldBack: CarrierFailure | undefined
  let calls = 0

  async function fetch(url: string, init: FetchInit = {}): Promise<Response> {
    const circuit = `${traveller.connectionId} ${URL.parse(url)?.host ?? ''}`
    const taken: Turn[] = []
    const takeTurn = async () => {
      taken.push(await nextTurn(context, traveller, signal))
      calls += 1
    }
    const giveBack = () => {
      for (const turn of taken) void turn.done()
    }
    try {
      await takeTurn()
      passBreaker(context, traveller, circuit)
    } catch (error) {
      calls -= taken.length
      giveBack()
      if (error instanceof CarrierFailure) heldBack = error
      throw error
    }
    const before = sent
    // Counted as sent before it is: a crash of the connection in between must not look like a refusal to connect.
    if ((init.method ?? 'GET') !== 'GET' && !init.readsOnly) sent = true
    const note = noteOf(traveller, url, init)
    try {
      const answer = await reach(context, traveller, url, init, signal, takeTurn)
      if (exchanges.length < EXCHANGES_MAX) exchanges.push(note({ status: answer.status, response: kept(answer.body, traveller) }))
      if (answer.status >= 500) context.gateway.breakers.failed(circuit)
      else context.gateway.breakers.succeeded(circuit)
      if (answer.status === 429) await pause(context, traveller, answer.headers.get('retry-after'))
      const bodiless = answer.status === 204 || answer.status === 304
      return new Response(bodiless ? null : (answer.body as Uint8Array<ArrayBuffer>), { status: answer.status, headers: answer.headers })
    } catch (error) {
      const failure = error instanceof OutboundError ? error : undefined
      if (failure && !failure.sent) sent = before
      // An address that we refuse ourselves says nothing of the carrier; a redirect that got no turn is an answer.
      if (error instanceof CarrierFailure) context.gateway.breakers.succeeded(circuit)
      else if (failure?.reason !== 'refused') context.gateway.breakers.failed(circuit)
      if (exchanges.length < EXCHANGES_MAX) exchanges.push(note({ error: failure?.message ?? 'No answer.' }))
      throw error
    } finally {
      giveBack()
    }
  }

  return {
    fetch,
    exchanges,
    get calls() {
      return calls
    },
    get sent() {
      return sent
    },
    get heldBack() {
      return heldBack
    },
  }
}

function reach(
  context: Context,
  { hosts }: Traveller,
  url: string,
  init: FetchInit,
  signal: AbortSignal,
  beforeRedirect: () => Promise<void>,
) {
  const { method = 'GET', headers = {}, body, followRedirects = false, timeoutMs } = init
  return context.outbound({
    url,
    method,
    headers,
    ...(body !== undefined && { body }),
    followRedirects,
    beforeRedirect,
    ...(timeoutMs !== undefined && { timeoutMs }),
    allowedHosts: hosts,
    maxBytes: ANSWER_BYTES_MAX,
    signal,
  })
}

/** The account's windows, shared by all processes. A short wait is waited out; a long one is a `rate_limited`. */
async function nextTurn(context: Context, { connectionId, label, windows, share = 1 }: Traveller, signal: AbortSignal): Promise<Turn> {
  const turns = await rememberedTurns(context, connectionId, windows)
  for (;;) {
    const turn = await turns.take(connectionId, windows, { share })
    const { waitMs } = turn
    if (waitMs === 0) return turn
    if (waitMs > TURN_WAIT_MS)
      throw new CarrierFailure('rate_limited', false, `The calls that ${label} allows this account are used up.`, {
        retryAfterSeconds: waitMs / 1000,
      })
    await Bun.sleep(waitMs + Math.random() * 50)
    signal.throwIfAborted()
  }
}

function passBreaker({ gateway }: Context, { label }: Traveller, circuit: string) {
  const waitMs = gateway.breakers.enter(circuit)
  if (waitMs > 0)
    throw new CarrierFailure('unavailable', false, `${label} has not been answering; it is asked again in ${Math.ceil(waitMs / 1000)} s.`, {
      code: CIRCUIT_OPEN,
      retryAfterSeconds: waitMs / 1000,
    })
}

/** `Retry-After`, in seconds or as a date, holds for the whole account. */
async function pause({ shared }: Context, { connectionId }: Traveller, retryAfter: string | null) {
  const written = retryAfter?.trim() ?? ''
  const ms = /^\d+$/.test(written) ? Number(written) * 1000 : Date.parse(written) - Date.now()
  await shared.turns.pause(connectionId, Number.isFinite(ms) ? Math.min(Math.max(ms, 1_000), PAUSE_MAX_MS) : PAUSE_MS)
}

function noteOf({ redact }: Traveller, url: string, { method = 'GET', body }: FetchInit) {
  const [at, began] = [new Date().toISOString(), performance.now()]
  return (said: { status?: number; response?: string | null; error?: string }): Exchange => ({
    at,
    ms: Math.round(performance.now() - began),
    method,
    url: redactUrl(url, redact).slice(0, 2_000),
    request: body === undefined ? null : words(redact(typeof body === 'string' ? body : `${body.length} bytes`), REQUEST_KEPT),
    status: said.status ?? null,
    response: said.response ?? null,
    error: said.error ?? null,
  })
}

/** The beginning of a text; of anything else, how much it was. */
function kept(body: Uint8Array, { redact }: Traveller): string | null {
  if (body.length === 0) return null
  const beginning = new TextDecoder().decode(body.subarray(0, RESPONSE_KEPT * 2))
  if (beginning.startsWith('%PDF') || beginning.slice(0, 200).includes('\u0000')) return `${body.length} bytes`
  return words(redact(beginning), RESPONSE_KEPT)
}

/** The database keeps no NUL. */
const words = (text: string, max: number) => (text.length > max ? `${text.slice(0, max)}…` : text).replaceAll('\u0000', '')
