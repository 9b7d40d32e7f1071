import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Elysia } from 'elysia'
import { jsonTextOf } from './json-text.ts'
import { addVary } from './vary.ts'

/** Characters from which a response is compressed. Shorter ones fit into one packet. */
const COMPRESSED_FROM = 1024
/** Characters up to which a response is compressed at once, which takes less than a millisecond. Longer ones go to a thread. */
const INLINE_MAX = 64 * 1024
/** Long responses that are compressed at the same time. Others are sent as they are, since they would wait for a thread. */
const THREADS_MAX = 2
const JSON_TYPE = 'application/json;charset=utf-8'

const gzipInThread = promisify(gzip)

type Headers = Record<string, string | number>

interface Answered {
  readonly request: Request
  readonly set: { readonly headers: Headers }
  readonly responseValue: unknown
}

/**
 * Compresses JSON responses to GET and HEAD for clients that accept gzip. Responses to writes stay as they are: they alone carry secrets that
 * are shown once, and the length of a compressed response can betray a secret beside text of the caller (BREACH). A GET response that
 * carries one says `no-store`, and stays as it is too. Streams, files and encoded responses are passed on.
 */
export const compressJson = () => {
  let compressing = 0

  const compressInThread = async (text: string): Promise<Uint8Array> => {
    compressing += 1
    try {
      return await gzipInThread(text)
    } finally {
      compressing -= 1
    }
  }

  // Elysia sends what a hook returns, but its types allow a whole response only, whose body would be copied once more.
  const mapResponse: (context: Answered) => void = ({ request, set, responseValue }): unknown => {
    const { headers } = set
    const text = isReadOnly(request.method) ? compressibleText(responseValue, headers) : undefined
    if (text === undefined) return undefined
    headers['content-type'] ??= JSON_TYPE
    if (text.length < COMPRESSED_FROM) return text
    addVary(headers, 'accept-encoding')
    const isLong = text.length > INLINE_MAX
    if (!acceptsGzip(request.headers.get('accept-encoding')) || (isLong && compressing >= THREADS_MAX)) return text
    headers['content-encoding'] = 'gzip'
    return isLong ? compressInThread(text) : Bun.gzipSync(Buffer.from(text))
  }
  return new Elysia({ name: 'compression' }).mapResponse({ as: 'global' }, mapResponse)
}

const isReadOnly = (method: string) => method === 'GET' || method === 'HEAD'

/** Returns the JSON of a response that may be compressed: an object, a list, or JSON that a handler has written itself. */
function compressibleText(value: unknown, headers: Headers): string | undefined {
  if (headers['content-encoding'] !== undefined || String(headers['cache-control'] ?? '').includes('no-store')) return undefined
  if (typeof value === 'string') return String(headers['content-type'] ?? '').includes('json') ? value : undefined
  return value?.constructor === Object || value?.constructor === Array ? jsonTextOf(value) : undefined
}

const ACCEPTED = /^(?:x-)?gzip$|^\*$/

/** Returns true if `Accept-Encoding` allows gzip, by name or by `*`, with a weight above 0 (RFC 9110, section 12.5.3). */
export function acceptsGzip(header: string | null): boolean {
  if (header === null) return false
  const weights = new Map<string, number>()
  for (const entry of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = entry.split(';').map((part) => part.trim())
    if (!ACCEPTED.test(coding)) continue
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length)
    weights.set(coding === '*' ? '*' : 'gzip', weight === undefined ? 1 : Number(weight))
  }
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}
