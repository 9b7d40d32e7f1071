import { isIP } from 'node:net'
import { invariant } from '../invariant.ts'
import { addressRefusal, cacheLookups, type HostResolver, hostOf, isPublicAddress, systemLookup } from './addresses.ts'

/** Reason why a request was not sent, or got no usable response. `sent` is true if the other side may have received it. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  constructor(
    readonly reason: 'refused' | 'unresolved' | 'timeout' | 'connection' | 'too_large',
    readonly sent: boolean,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** Request that leaves the server. */
export interface OutboundRequest {
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Milliseconds for the whole request: the lookup, every redirect and the complete response. */
  readonly timeoutMs?: number
  /** Maximum size of the response body. Larger responses fail with `too_large`. */
  readonly maxBytes?: number
  /** Bytes to read from the start of the response body. A long or broken rest is then not an error. */
  readonly headBytes?: number
  /** Hosts that may be reached, redirects included. `*.example.com` allows all hosts below a name. */
  readonly allowedHosts?: readonly string[]
  /** Returns once the response headers are received. The body comes as `stream`, within the same limits of time and size. */
  readonly isStreamed?: boolean
  readonly followRedirects?: boolean
  /** Called and awaited before each redirect is followed. */
  readonly beforeRedirect?: () => Promise<unknown>
  readonly signal?: AbortSignal
  /** Latest moment to send, by `performance.now()`. Guards against timers that fire late after the process was suspended. */
  readonly notAfter?: number
}

/** Response to an {@link OutboundRequest}. */
export interface OutboundResponse {
  readonly status: number
  readonly headers: Headers
  /** Response body; empty if it is streamed. */
  readonly body: Uint8Array
  readonly stream?: ReadableStream<Uint8Array>
}

/** Rules for all requests of an {@link Outbound} client. */
export interface OutboundRules {
  /** Allows plain HTTP and private addresses. For development only. */
  readonly allowPrivate: boolean
  /** Replacement of real hosts by simulators: `host → http://127.0.0.1:4100`. `*.shops.example` covers all hosts below it. */
  readonly simulators?: Readonly<Record<string, string>>
  /** Resolver; the system's by default. */
  readonly resolve?: HostResolver
  /** Certificate authorities to trust instead of the system's. */
  readonly ca?: string
}

/** Sends a request. Throws an {@link OutboundError} if it was refused or got no usable response. */
export type Outbound = (request: OutboundRequest) => Promise<OutboundResponse>

const REDIRECTS_MAX = 3
const TIMEOUT_MS = 20_000
const BYTES_MAX = 10 * 1024 * 1024
/** Bytes of an unwanted rest that are read to keep the connection open. */
const DRAIN_BYTES = 64 * 1024
const ADDRESSES_TRIED = 3

const refuse = (message: string) => new OutboundError('refused', false, message)

/** Opens the only client for outbound requests. It enforces host and address rules, pins the checked address, and limits time and size. */
export function openOutbound(given: OutboundRules): Outbound {
  const rules = { ...given, resolve: cacheLookups(given.resolve ?? systemLookup) }
  return async (request) => {
    const deadline = startDeadline(request)
    let isOpen = false
    try {
      let current: OutboundRequest = request
      for (let hop = 0; ; hop += 1) {
        const answer = await sendOnce(current, rules, deadline.signal)
        const location = answer.headers.get('location')
        if (!request.followRedirects || !location || answer.status < 300 || answer.status > 399) {
          if (!answer.stream) return answer
          isOpen = true
          return { ...answer, stream: limitStream(answer.stream, request.maxBytes ?? BYTES_MAX, deadline) }
        }
        await answer.stream?.cancel().catch(() => {})
        const next = URL.parse(location, current.url)
        if (hop === REDIRECTS_MAX || !next)
          throw new OutboundError('refused', true, next ? `More than ${REDIRECTS_MAX} redirects.` : 'A redirect to no address.')
        await request.beforeRedirect?.()
        current = followRedirect(current, next, answer.status)
      }
    } finally {
      if (!isOpen) deadline.clear()
    }
  }
}

type Deadline = ReturnType<typeof startDeadline>

/** Limits a streamed body in time and size. A reader gets its end or an error; cancelling the stream ends the request. */
function limitStream(stream: ReadableStream<Uint8Array>, maxBytes: number, { signal, clear }: Deadline): ReadableStream<Uint8Array> {
  const reader = stream.getReader()
  let size = 0
  const fail = async (error: unknown) => {
    clear()
    await reader.cancel().catch(() => {})
    throw asOutboundError(error, signal)
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          size += value?.length ?? 0
          if (size > maxBytes) throw new OutboundError('too_large', true, `The answer is larger than ${maxBytes} bytes.`)
          if (value) controller.enqueue(value)
          if (!done) return
          clear()
          controller.close()
        } catch (error) {
          await fail(error)
        }
      },
      async cancel() {
        clear()
        await reader.cancel().catch(() => {})
      },
    },
    { highWaterMark: 0 },
  )
}

function startDeadline({ timeoutMs = TIMEOUT_MS, signal }: OutboundRequest) {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, timeoutMs)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort, { once: true })
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    },
  }
}

const CROSS_ORIGIN_HEADERS = /^(accept|accept-language|user-agent|content-type)$/i

/**
 * Builds the request that follows a redirect. 307 and 308 repeat the request; other codes make it a GET (RFC 9110, section 15.4). Only a
 * few harmless headers are sent to another origin.
 */
function followRedirect(request: OutboundRequest, next: URL, status: number): OutboundRequest {
  const sameOrigin = next.origin === new URL(request.url).origin
  const { body, headers = {}, method = 'GET', ...rest } = request
  const keptHeaders = Object.entries(headers).filter(([name]) => sameOrigin || CROSS_ORIGIN_HEADERS.test(name))
  if (status === 307 || status === 308) return { ...request, url: next.href, headers: Object.fromEntries(keptHeaders) }
  const bodiless = keptHeaders.filter(([name]) => !/^content-/i.test(name))
  return { ...rest, url: next.href, headers: Object.fromEntries(bodiless), method: method === 'HEAD' ? 'HEAD' : 'GET' }
}

type OpenRules = OutboundRules & { readonly resolve: HostResolver }

async function sendOnce(request: OutboundRequest, rules: OpenRules, deadline: AbortSignal): Promise<OutboundResponse> {
  let failure: OutboundError | undefined
  for (const target of await resolveTargets(request, rules, deadline)) {
    try {
      return await send(request, target, rules, deadline)
    } catch (error) {
      failure = asOutboundError(error, deadline)
      if (failure.reason !== 'connection' || failure.sent) throw failure
    }
  }
  throw invariant(failure, 'An address of a host')
}

async function send(request: OutboundRequest, place: Target, rules: OpenRules, deadline: AbortSignal): Promise<OutboundResponse> {
  const given = Object.entries(request.headers ?? {}).filter(([name]) => !/^host$/i.test(name))
  if (performance.now() >= (request.notAfter ?? Number.POSITIVE_INFINITY))
    throw new OutboundError('timeout', false, 'The request was held up on our side.')
  const tls = { ...(place.serverName && { serverName: place.serverName }), ...(rules.ca && { ca: rules.ca }) }
  const response = await fetch(place.url, {
    method: request.method ?? 'GET',
    headers: { ...Object.fromEntries(given), host: place.host },
    ...(request.body !== undefined && { body: request.body }),
    redirect: 'manual',
    signal: deadline,
    ...(Object.keys(tls).length > 0 && { tls }),
  } as RequestInit)
  const { status, headers } = response
  if (request.isStreamed) return { status, headers, body: new Uint8Array(), stream: response.body ?? new Blob([]).stream() }
  const body =
    request.headBytes === undefined ? await readUpTo(response, request.maxBytes ?? BYTES_MAX) : await readHead(response, request.headBytes)
  return { status, headers, body }
}

const NO_CONNECTION = /^(ConnectionRefused|FailedToOpenSocket|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL)$/
const NO_TRUST = /CERT|SIGNATURE|ISSUER|ERR_TLS|ERR_SSL/

function asOutboundError(error: unknown, deadline: AbortSignal): OutboundError {
  if (error instanceof OutboundError) return error
  if (deadline.aborted) return new OutboundError('timeout', true, 'No answer in time.', { cause: error })
  const code = String((error as { code?: unknown }).code)
  if (NO_CONNECTION.test(code)) return new OutboundError('connection', false, 'The connection was refused.', { cause: error })
  if (NO_TRUST.test(code)) return new OutboundError('connection', false, `The certificate cannot be trusted (${code}).`, { cause: error })
  return new OutboundError('connection', true, 'The connection broke before an answer came.', { cause: error })
}

interface Target {
  readonly url: string
  readonly host: string
  readonly serverName?: string
}

/** Returns true if a host matches a list of names and `*.` patterns. */
export const isDeclaredHost = (host: string, allowed: readonly string[]) =>
  allowed.some((pattern) => pattern === host || (pattern.startsWith('*.') && host.endsWith(pattern.slice(1))))

const simulatorFor = (host: string, { simulators = {} }: OutboundRules): string | undefined =>
  simulators[host] ?? Object.entries(simulators).find(([pattern]) => isDeclaredHost(host, [pattern]))?.[1]

/**
 * Returns the targets to connect to. Resolves the host once, checks every address and pins the connection to one of them. The certificate
 * is checked for the name (`serverName`), and connections are pooled by it.
 */
async function resolveTargets({ url: address, allowedHosts }: OutboundRequest, rules: OpenRules, deadline: AbortSignal): Promise<Target[]> {
  const named = URL.parse(address)
  const simulator = named ? simulatorFor(hostOf(named), rules) : undefined
  const refusal = addressRefusal(address, simulator ? { allowPrivate: true } : rules)
  if (refusal) throw refuse(refusal)
  const url = new URL(address)
  const host = hostOf(url)
  if (allowedHosts && !isDeclaredHost(host, allowedHosts)) throw refuse(`The host ${host} was not declared.`)
  if (simulator) return [{ url: `${simulator.replace(/\/+$/, '')}${url.pathname}${url.search}`, host: url.host }]
  const addresses = await resolvePublic(host, rules, deadline)
  const certified = url.protocol === 'https:' && !isIP(host) ? { serverName: host } : {}
  return addresses.slice(0, ADDRESSES_TRIED).map((pinned) => {
    const at = new URL(url)
    at.hostname = isIP(pinned) === 6 ? `[${pinned}]` : pinned
    at.hash = ''
    return { url: at.href, host: url.host, ...certified }
  })
}

async function resolvePublic(name: string, rules: OpenRules, deadline: AbortSignal): Promise<readonly string[]> {
  const addresses = isIP(name) ? [name] : await withinDeadline(rules.resolve(name), deadline)
  if (addresses.length === 0) throw new OutboundError('unresolved', false, `The host ${name} has no address.`)
  if (!rules.allowPrivate && !addresses.every(isPublicAddress)) throw refuse(`The host ${name} leads into a private network.`)
  return addresses
}

async function withinDeadline<V>(work: Promise<V>, deadline: AbortSignal): Promise<V> {
  const late = Promise.withResolvers<never>()
  const onAbort = () => late.reject(new OutboundError('timeout', false, 'The name was not resolved in time.'))
  if (deadline.aborted) onAbort()
  deadline.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, late.promise])
  } finally {
    deadline.removeEventListener('abort', onAbort)
  }
}

async function readUpTo(response: Response, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = () => new OutboundError('too_large', true, `The answer is larger than ${maxBytes} bytes.`)
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
    await response.body?.cancel().catch(() => {})
    throw tooLarge()
  }
  if (!response.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Reads the start of the body. An error after that is ignored, because the status alone is the result. */
async function readHead(response: Response, headBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      if (size < headBytes) chunks.push(chunk)
      size += chunk.length
      if (size > DRAIN_BYTES) break
    }
  } catch {
    // The chunks that were read so far are the result.
  }
  return Buffer.concat(chunks).subarray(0, headBytes)
}
