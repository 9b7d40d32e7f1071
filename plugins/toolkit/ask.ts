import { AdapterError, adapterErrorNames, type FetchInit, HOST_FAILURE } from '../adapter.ts'
import { isRow, text } from './values.ts'

/** Part of the context that {@link ask} needs. */
export interface Asking {
  fetch(url: string, init?: FetchInit): Promise<Response>
  now(): number
}

/** Query parameters. Undefined values are left out; a list repeats its parameter. */
export type Query = Readonly<Record<string, string | number | boolean | readonly (string | number)[] | undefined>>

/** Options of {@link ask}. */
export interface Question extends Omit<FetchInit, 'body'> {
  readonly query?: Query
  /** Body sent as JSON, with its content type. */
  readonly json?: unknown
  /**
   * Signs the request: returns headers computed from its exact method, URL with query, and bytes (empty without `json`). `hmacSha256` with
   * `toHex` or `toBase64` makes most signatures.
   */
  readonly sign?: (sent: SignedRequest) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
}

/** Request as `sign` sees it: exactly what is sent. */
export interface SignedRequest {
  readonly method: string
  readonly url: URL
  readonly bytes: Uint8Array
}

/** Response of a platform, read completely. */
export interface Answer {
  readonly status: number
  readonly ok: boolean
  readonly headers: Headers
  readonly bytes: Uint8Array
  readonly words: string
  /** Parsed JSON of the body; undefined if it is not JSON. */
  readonly value: unknown
}

const WORDS_MAX = 500

/**
 * Makes one call and returns its response, whatever the status. Throws `unavailable` if no response came. If the host refused the call, the
 * error has the host's message.
 */
export async function ask(context: Asking, label: string, url: string, question: Question = {}): Promise<Answer> {
  const { query, json, headers, sign, ...init } = question
  const address = withQuery(url, query)
  const bytes = new TextEncoder().encode(json === undefined ? '' : JSON.stringify(json))
  const signature = await sign?.({ method: init.method ?? 'GET', url: new URL(address), bytes })
  const sent = {
    ...init,
    headers: { accept: 'application/json', ...(json !== undefined && { 'content-type': 'application/json' }), ...headers, ...signature },
    ...(json !== undefined && { body: bytes }),
  }
  try {
    const response = await context.fetch(address, sent)
    const bytes = new Uint8Array(await response.arrayBuffer())
    const words = new TextDecoder().decode(bytes)
    return { status: response.status, ok: response.ok, headers: response.headers, bytes, words, value: jsonIn(words) }
  } catch (error) {
    if (isRow(error) && adapterErrorNames.includes(String(error.name))) throw error
    throw new AdapterError('unavailable', hostMessage(error) ?? `${label} did not answer.`, {}, { cause: error })
  }
}

/**
 * Returns the host's message if it refused the call (rate limit, open circuit breaker). The error is recognized by name, because its class
 * is not in the bundle.
 */
const hostMessage = (error: unknown) => (isRow(error) && error.name === HOST_FAILURE ? text(error.message) : undefined)

/** Appends query parameters to a URL. Undefined values are left out. */
export function withQuery(url: string, query: Query = {}): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined) given.append(name, String(one))
  return given.size === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${given}`
}

/** Parses JSON; undefined for an empty or broken text. */
export function jsonIn(words: string): unknown {
  try {
    return JSON.parse(words)
  } catch {
    return undefined
  }
}

/** Creates the `unavailable` error for a response that lacks something or cannot be read. */
export const unreadable = (label: string, what: string) =>
  new AdapterError('unavailable', `${label} answered something that cannot be read: ${what}.`)

/**
 * Maps an unsuccessful response to an error by its status: 429 is `rate_limited`, 401 and 403 are `unauthorized`, 404 is `not_found` except
 * for POST. 400, 409, 413 and 422 are `refused`; all others are `unavailable`. `said` is the platform's message, by default found by {@link
 * wordsIn}.
 */
export function problemOf(
  context: Asking,
  label: string,
  { status, headers, value }: Pick<Answer, 'status' | 'headers' | 'value'>,
  { method = 'GET', said = wordsIn(value) }: { method?: FetchInit['method']; said?: string | undefined } = {},
): AdapterError {
  const upstream = { code: String(status), ...(said !== undefined && { message: said }) }
  if (status === 429) {
    const retryAfterSeconds = secondsIn(headers.get('retry-after'), context.now())
    return new AdapterError('rate_limited', `${label} takes no more calls for now.`, {
      ...upstream,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    })
  }
  if (status === 401 || status === 403) return new AdapterError('unauthorized', `${label} does not accept these keys.`, upstream)
  // A POST creates, so its 404 does not say what happened. The outcome must be looked up.
  if (status === 404 && method !== 'POST') return new AdapterError('not_found', `${label} does not have it.`, upstream)
  if (status === 400 || status === 409 || status === 413 || status === 422)
    return new AdapterError('refused', `${label} refused${said === undefined ? '.' : `: ${said}`}`, upstream)
  return new AdapterError('unavailable', `${label} answered with status ${status}.`, upstream)
}

/** Parses `Retry-After`, a number of seconds or a date, into seconds from now. */
function secondsIn(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined
}

/**
 * Returns the message of an error body from the usual places: `message`, `error`, `detail`, and the first of `errors`. At most 500
 * characters.
 */
export function wordsIn(value: unknown): string | undefined {
  if (!isRow(value)) return undefined
  const error = isRow(value.error) ? value.error : value
  const found = text(error.message) ?? text(error.description) ?? text(value.error) ?? text(value.detail) ?? text(value.title)
  const [first] = isRow(value.errors) ? Object.entries(value.errors) : []
  const field = first && `${first[0]}: ${String([first[1]].flat()[0])}`
  return [found, field].filter(Boolean).join(' – ').slice(0, WORDS_MAX) || undefined
}
