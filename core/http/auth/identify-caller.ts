import type { SharedState } from '../../data/shared/shared.ts'
import { MINUTE_MS } from '../../lib/durations.ts'
import { evictOldest } from '../../lib/evict-oldest.ts'
import { networkOf } from '../../lib/net/addresses.ts'
import { ApiError } from '../errors/errors.ts'
import { rateHeaders, rateLimitError } from '../rate-headers.ts'
import { addVary } from '../vary.ts'
import type { AuthContext } from './auth-context.ts'
import { readConsoleCookie } from './console-cookie.ts'
import { assertProof, type DpopVerifier } from './dpop.ts'
import { buildChallenge, type Principal } from './principal.ts'
import type { StoreProjectFinder } from './project-access.ts'

/** Lookup of credentials. */
export interface CredentialLookup extends DpopVerifier {
  /** Finds the principal of a credential. Null if it is unknown, revoked or expired. */
  find(credential: string): Promise<Principal | null>
  /** Returns true if the credential was found recently, so that finding it again costs nothing. */
  isCached(credential: string): boolean
}

/** Options of the auth macros. */
export interface AuthOptions {
  readonly authenticate: CredentialLookup
  readonly shared: SharedState
  /** Requests per minute of one credential. */
  readonly perCredential: number
  /** Requests per minute of one network without a credential. */
  readonly perAddress: number
  /** Requests per minute of all credentials of a tenant, unless the tenant has its own limit. 0 for no limit. */
  readonly perTenant: number
  /** Number of trusted proxies in front of this server. */
  readonly proxies: number
  /** Accepts the session cookie of the console. */
  readonly acceptsCookie: boolean
  /** Finds the project of a store for a signed-in user. */
  readonly findProjectOfStore: StoreProjectFinder
  /** Returns the address of this server for the response to a request. */
  addressFor(request: Request): string
}

const BLOCKED_MAX = 10_000

/**
 * Builds the function that identifies and counts the caller of a request. Invalid credentials of a network are counted apart from its
 * requests without a credential. A network over that limit is refused until its minute has passed. Recently found credentials behind it
 * still work.
 */
export function callerIdentifier(options: AuthOptions) {
  const blocked = new Map<string, number>()
  return async (edge: AuthContext): Promise<Principal | null> => {
    const address = addressOf(edge, options.proxies)
    edge.address = address
    const { credential, isBound, isCookie = false, refusal } = readCredential(edge.request, options)
    if (refusal) edge.refusedCookie = refusal
    if (isCookie) {
      // Shared caches may otherwise keep the response, unlike one to `Authorization`.
      edge.set.headers['cache-control'] = 'private, no-cache'
      addVary(edge.set.headers, 'cookie')
    }
    const network = networkOf(address)
    const waitMs = (blocked.get(network) ?? 0) - Date.now()
    if (waitMs > 0 && credential !== null && !options.authenticate.isCached(credential)) throw rateLimitError(options.perAddress, waitMs)
    const caller = credential === null ? null : await options.authenticate.find(credential)
    const isGuess = credential !== null && caller === null
    const over = await countRequest(edge, caller, `${isGuess ? 'guesses' : 'address'}:${network}`, options)
    if (over) {
      evictOldest(blocked, BLOCKED_MAX - 1)
      if (isGuess) blocked.set(network, Date.now() + over.resetMs)
      throw rateLimitError(over.limit, over.resetMs)
    }
    if (isGuess) {
      const unknown = unknownCredential(credential, { isBound })
      // Browsers send the cookie with every request, so an ended session must not close public routes.
      if (!isCookie) throw unknown
      edge.refusedCookie = unknown
    }
    if (credential !== null && (isBound || caller?.app?.keyThumbprint))
      await assertProof(edge, credential, caller?.app, options.addressFor(edge.request), options.authenticate)
    return caller
  }
}

/** Finds the caller of a request without counting it. Throws if the credential is no longer valid. */
export async function findCaller(request: Request, options: AuthOptions): Promise<Principal | null> {
  const { credential, isBound } = readCredential(request, options)
  const caller = credential === null ? null : await options.authenticate.find(credential)
  if (credential !== null && caller === null) throw unknownCredential(credential, { isBound })
  return caller
}

interface ReadCredential {
  readonly credential: string | null
  readonly isBound: boolean
  /** True for the session cookie of the console. */
  readonly isCookie?: boolean
  /** Error of a session cookie that does not count. */
  readonly refusal?: ApiError
}

/** Reads the credential of a request: `Authorization`, or without it the session cookie of the console. */
function readCredential(request: Request, { acceptsCookie, addressFor }: AuthOptions): ReadCredential {
  const header = request.headers.get('authorization')
  if (header === null) {
    const cookie = acceptsCookie ? readConsoleCookie(request, addressFor(request)) : null
    return { credential: null, isBound: false, ...cookie, ...(cookie && { isCookie: true }) }
  }
  const match = /^(Bearer|DPoP) ([A-Za-z0-9_\-.~+/=]{1,400})$/i.exec(header)
  return { credential: match?.[2] ?? '', isBound: match?.[1]?.toLowerCase() === 'dpop' }
}

/** Builds the error for an invalid credential, with the challenge of RFC 6750, section 3. */
function unknownCredential(credential: string, { isBound }: { readonly isBound: boolean }): ApiError {
  const [code, thing, remedy] = credential.startsWith('sk_')
    ? (['invalid_api_key', 'API key', 'Make a new one in the project.'] as const)
    : (['invalid_token', 'token', 'Sign in again.'] as const)
  const what = `This ${thing} is unknown, revoked or expired.`
  return new ApiError(code, `${what} ${remedy}`, {
    headers: { 'www-authenticate': buildChallenge(`error="invalid_token", error_description="${what}"`, { isBound }) },
  })
}

/** Counts a request. Returns null if it is within its limits, otherwise the exceeded limit and the milliseconds until it resets. */
async function countRequest(
  edge: AuthContext,
  caller: Principal | null,
  stranger: string,
  { shared, perCredential, perAddress, perTenant }: AuthOptions,
): Promise<{ limit: number; resetMs: number } | null> {
  const key = caller === null ? stranger : `credential:${caller.credentialId}`
  const ofTenant = caller?.project ? (caller.project.requestsPerMinute ?? perTenant) : 0
  const counted = [
    { key, limit: caller === null ? perAddress : perCredential },
    ...(caller?.project && ofTenant > 0 ? [{ key: `tenant:${caller.project.tenantId}`, limit: ofTenant }] : []),
  ]
  const windows = await Promise.all(
    counted.map(async ({ key: of, limit }) => {
      const { count, resetMs } = await shared.countHit(`rate:${of}`, MINUTE_MS)
      return { limit, left: limit - count, resetMs: Math.max(1, resetMs) }
    }),
  )
  // Reports the limit that is nearest to exhaustion.
  const { limit, left, resetMs } = windows.reduce((least, one) => (one.left < least.left ? one : least))
  Object.assign(edge.set.headers, rateHeaders(limit, left, resetMs))
  return left < 0 ? { limit, resetMs } : null
}

/** Returns the client's address. Each trusted proxy appends the peer's address to `X-Forwarded-For`; entries before those can be forged. */
export function addressOf({ request, server }: Pick<AuthContext, 'request' | 'server'>, proxies: number): string {
  const addresses = proxies > 0 ? (request.headers.get('x-forwarded-for') ?? '').split(',').map((part) => part.trim()) : []
  return addresses.at(-proxies) || (server?.requestIP(request)?.address ?? 'local')
}
