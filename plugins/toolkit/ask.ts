import { AdapterError, adapterErrorNames, type FetchInit, HOST_FAILURE } from '../adapter.ts'
import { isRow, text } from './values.ts'

/** What asking needs of a context. */
export interface Asking {
  fetch(url: string, init?: FetchInit): Promise<Response>
  now(): number
}

/** Query values; what is undefined is left out, a list is repeated under its name. */
export type Query = Readonly<Record<string, string | number | boolean | readonly (string | number)[] | undefined>>

export interface Question extends Omit<FetchInit, 'body'> {
  readonly query?: Query
  /** Sent as JSON, with its content type. */
  readonly json?: unknown
  /**
   * For an API that wants requests signed: headers made of exactly what is sent, its bytes (none without `json`), its method and its
   * address with the query. `hmacSha256` and `toHex` or `toBase64` make most signatures.
   */
  readonly sign?: (sent: SignedRequest) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
}

export interface SignedRequest {
  readonly method: string
  readonly url: URL
  readonly bytes: Uint8Array
}

export interface Answer {
  readonly status: number
  readonly ok: boolean
  readonly headers: Headers
  readonly bytes: Uint8Array
  readonly words: string
  /** The JSON of the body; undefined where it is none. */
  readonly value: unknown
}

const WORDS_MAX = 500

/** One call, whatever its status. Throws `unavailable` where no answer came, in the host's words where it held the call back. */
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
    throw new AdapterError('unavailable', hostsWords(error) ?? `${label} did not answer.`, {}, { cause: error })
  }
}

/** What the host says where it did not even ask (the quota is used up, the circuit is open): told by name, since it is no class of ours. */
const hostsWords = (error: unknown) => (isRow(error) && error.name === HOST_FAILURE ? text(error.message) : undefined)

export function withQuery(url: string, query: Query = {}): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined) given.append(name, String(one))
  return given.size === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${given}`
}

/** JSON, also where it is empty or broken: then undefined. */
export function jsonIn(words: string): unknown {
  try {
    return JSON.parse(words)
  } catch {
    return undefined
  }
}

export const unreadable = (label: string, what: string) =>
  new AdapterError('unavailable', `${label} answered something that cannot be read: ${what}.`)

/**
 * What an answer that is no success means, by its status: 429 over quota, 401 and 403 the keys, 404 not there (of a POST: nobody
 * knows), 400, 409, 413 and 422 a refusal, everything else nobody knows. `said` are its own words, where they were found.
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
  // Where something is to be made there is nothing to be found: only a look-up can tell what became of it.
  if (status === 404 && method !== 'POST') return new AdapterError('not_found', `${label} does not have it.`, upstream)
  if (status === 400 || status === 409 || status === 413 || status === 422)
    return new AdapterError('refused', `${label} refused${said === undefined ? '.' : `: ${said}`}`, upstream)
  return new AdapterError('unavailable', `${label} answered with status ${status}.`, upstream)
}

/** `Retry-After` is a number of seconds or a date. */
function secondsIn(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined
}

/** Where APIs put an error's words: `message`, `error`, `detail`, and the first of `errors`. */
export function wordsIn(value: unknown): string | undefined {
  if (!isRow(value)) return undefined
  const error = isRow(value.error) ? value.error : value
  const found = text(error.message) ?? text(error.description) ?? text(value.error) ?? text(value.detail) ?? text(value.title)
  const [first] = isRow(value.errors) ? Object.entries(value.errors) : []
  const field = first && `${first[0]}: ${String([first[1]].flat()[0])}`
  return [found, field].filter(Boolean).join(' – ').slice(0, WORDS_MAX) || undefined
}
