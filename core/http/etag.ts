import { sha256 } from '../lib/crypto/crypto.ts'
import { jsonTextOf } from './json-text.ts'
import { addVary } from './vary.ts'

const TAG_CHARS = 32
/** Seconds that shared caches may store a public response without revalidation. */
const PUBLIC_SECONDS = 30
/** Request headers that decide the response: credentials, and whether it is compressed. */
const VARIES_BY = ['authorization', 'cookie', 'accept-encoding']

/** Request whose response has versions. */
export interface Versioned {
  readonly request: Request
  readonly set: { headers: Record<string, string | number> }
  /** Caller's audience in a storefront. Public responses may be cached by shared caches. */
  readonly audience?: string
}

interface Answered extends Versioned {
  readonly responseValue: object
}

/**
 * Handles `afterHandle`: sets the ETag and cache headers, and answers 304 if the client has the current version (RFC 9110, section 13.1.2).
 */
export const answerNotModified: (context: object) => void = (context): Response | undefined => {
  const answered = context as Answered
  const { responseValue } = answered
  if (responseValue instanceof Response) return undefined
  return answerIfKnown(answered, `W/"${sha256(jsonTextOf(responseValue)).slice(0, TAG_CHARS)}"`)
}

/** Sets the ETag and cache headers. Returns a 304 if the client has this version. */
export function answerIfKnown({ request, set, audience }: Versioned, etag: string): Response | undefined {
  const headers = {
    etag,
    'cache-control': audience === 'public' ? `public, max-age=${PUBLIC_SECONDS}` : 'private, no-cache',
  }
  Object.assign(set.headers, headers)
  addVary(set.headers, ...VARIES_BY)
  const known = (request.headers.get('if-none-match') ?? '').split(',').map((tag) => tag.trim())
  return known.includes(etag) || known.includes('*') ? new Response(null, { status: 304 }) : undefined
}
