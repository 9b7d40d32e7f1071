import { sha256 } from '../lib/crypto/crypto.ts'

const TAG_CHARS = 32
/** So long others may keep what anybody may read, without asking. */
const PUBLIC_SECONDS = 30

interface Answered {
  readonly request: Request
  readonly set: { headers: Record<string, string | number> }
  readonly responseValue: unknown
  /** Of a `storefront`: what its public reads anybody may keep. */
  readonly standing?: string
}

/** A route's `afterHandle`: tags the answer, and says nothing but 304 to who has the same already (RFC 9110, 13.1.2). */
export const answerNotModified: (context: object) => void = (context): Response | undefined => {
  const { request, set, responseValue, standing } = context as Answered
  if (responseValue instanceof Response) return undefined
  const etag = `W/"${sha256(JSON.stringify(responseValue)).slice(0, TAG_CHARS)}"`
  const headers = {
    etag,
    'cache-control': standing === 'public' ? `public, max-age=${PUBLIC_SECONDS}` : 'private, no-cache',
    vary: set.headers.vary === undefined ? 'authorization' : `${set.headers.vary}, authorization`,
  }
  Object.assign(set.headers, headers)
  const known = (request.headers.get('if-none-match') ?? '').split(',').map((tag) => tag.trim())
  return known.includes(etag) || known.includes('*') ? new Response(null, { status: 304, headers }) : undefined
}
