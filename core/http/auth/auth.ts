import { Elysia } from 'elysia'
import type { SharedState } from '../../data/shared/shared.ts'
import { setTenant } from '../../data/tenant-context.ts'
import { evictOldest } from '../../lib/evict-oldest.ts'
import { networkOf } from '../../lib/net/addresses.ts'
import { assertBodyLength, registerRecheck } from '../body/body.ts'
import type { BodyRegistry } from '../body/declared-bodies.ts'
import { ApiError, notFound } from '../errors/errors.ts'
import { rateHeaders, rateLimitError } from '../rate-headers.ts'
import { assertProof, type DpopVerifier } from './dpop.ts'
import {
  type ActingProject,
  actorOf,
  assertCanUse,
  assertDirectUser,
  buildChallenge,
  canUse,
  ownerOf,
  type Person,
  type Principal,
  unauthenticatedError,
} from './principal.ts'
import type { Scope } from './scopes.ts'

/** Lookup of credentials. */
export interface CredentialLookup extends DpopVerifier {
  /** Finds the principal of a credential. Null if it is unknown, revoked or expired. */
  find(credential: string): Promise<Principal | null>
  /** Returns true if the credential was found recently, so that finding it again costs nothing. */
  isCached(credential: string): boolean
}

/** Options of {@link authMacros}. */
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
  /** Returns the address of this server for the response to a request. */
  addressFor(request: Request): string
}

/** Properties of Elysia's context that the auth hooks read and write. */
export interface AuthContext {
  readonly request: Request
  /** Path pattern as declared. */
  readonly route: string
  readonly server: { requestIP(request: Request): { address: string } | null } | null
  readonly set: { headers: Record<string, string | number> }
  /** Path parameters; absent if the path has none. */
  readonly params?: Readonly<Record<string, string | undefined>>
  /** Query parameters; absent if the route reads none. */
  readonly query?: Readonly<Record<string, unknown>>
  body: unknown
  caller?: Principal | null
  address?: string
  /** Error for a route that shows it on a page. */
  refused?: unknown
}

/** Casts a context. Macros are defined before the routes that use them, so their hooks are not typed with the routes' context. */
export const authContextOf = (context: object) => context as AuthContext

/** Returns the `:id` parameter of the path. */
export const pathIdOf = (context: object): string => authContextOf(context).params?.id ?? ''

/** Returns the caller of a route that requires a credential. Throws `unauthenticated` if there is none. */
export const callerOf = (context: object): Principal => requireCaller(authContextOf(context).caller ?? null)

type UserKind = true | 'admin' | 'direct'

const MINUTE_MS = 60_000
const BLOCKED_MAX = 10_000
const [session, apiKey] = [{ session: [] }, { apiKey: [] }]
/** Delays parsing. `admit` reads the body after it has authorized the caller. */
const delayParsing = () => null

/**
 * Builds the macros that authenticate, authorize and rate-limit a request. Their `transform` runs before validation, and nothing of a
 * request that its headers disqualify is read. A route names exactly one of these macros, or one built on them:
 * - `open`: anyone. A credential must be valid if it is sent; its principal is then the caller. With `'page'`, errors of requests without a
 *   credential are passed to the route as `refused`, for a page that shows them.
 * - `user`: a signed-in user, given as `person`. `'admin'` requires a platform administrator. `'direct'` excludes an administrator who
 *   impersonates the user.
 * - `project`: an API key with this scope, for a project with the scope's product. Gives the `project`.
 * - `userOrApp`: a signed-in user, or an app that acts as the user with any scopes. For data that the app stores about the user.
 * - `client`: a client that the route authenticates itself.
 * - `projectCredential`: an API key or an app's token that acts for a project, with any scopes. The handler checks a scope for each action.
 *   A refusal names the resource metadata (RFC 9728).
 * - `access`: a signed-in user, or an API key with this scope. For routes outside any store; others use `store` of shop/stores.
 */
export function authMacros(options: AuthOptions, bodies: BodyRegistry) {
  const identify = identifier(options)
  const admit = async (context: object, authorise: (caller: Principal | null) => unknown) => {
    const edge = authContextOf(context)
    assertBodyLength(edge.request, bodies.maxBytesOf(edge.request.method, edge.route))
    edge.caller = await identify(edge)
    if (edge.caller) setTenant(ownerOf(edge.caller), actorOf(edge.caller))
    authorise(edge.caller)
    if (edge.caller)
      registerRecheck(edge.request, async () => {
        edge.caller = await find(edge.request, options)
        authorise(edge.caller)
      })
    edge.body = await bodies.read(edge.request, edge.route)
  }
  return new Elysia({ name: 'auth' }).macro({
    open: (kind: true | 'page') => ({
      parse: delayParsing,
      transform: async (context) => {
        const edge = authContextOf(context)
        try {
          await admit(context, () => {})
        } catch (error) {
          if (kind !== 'page' || edge.request.headers.has('authorization')) throw error
          edge.refused = error
        }
        // Treats the app as a public caller. Without a project, the user's roles would grant more than the app's scopes.
        if (edge.caller?.app && !edge.caller.project) edge.caller = null
      },
      resolve: (context) => {
        const { caller = null, address = '', refused = null } = authContextOf(context)
        return { caller, address, refused }
      },
      detail: { security: [{}, session, apiKey] },
    }),
    user: (kind: UserKind) => ({
      parse: delayParsing,
      transform: (context) => admit(context, (caller) => personOf(requireCaller(caller), kind)),
      resolve: (context) => {
        const caller = callerOf(context)
        return { caller, person: personOf(caller, kind), address: authContextOf(context).address ?? '' }
      },
      detail: { security: [session], ...(kind === 'admin' && { 'x-role': 'admin of the platform' }) },
    }),
    userOrApp: (_: true) => ({
      parse: delayParsing,
      transform: (context) => admit(context, (caller) => userOrAppOf(requireCaller(caller))),
      resolve: (context) => {
        const caller = callerOf(context)
        return { caller, person: userOrAppOf(caller) }
      },
      detail: { security: [session] },
    }),
    // Names the properties one by one: if the whole context is passed on, Elysia parses all of it, cookies and query too.
    client: (_: true) => ({
      parse: delayParsing,
      resolve: ({ request, server }) => ({ address: addressOf({ request, server }, options.proxies) }),
      detail: { security: [], 'x-callback': true } as object,
    }),
    project: (needed: Scope) => ({
      parse: delayParsing,
      transform: (context) => admit(context, (caller) => projectOf(requireCaller(caller), needed)),
      resolve: (context) => {
        const caller = callerOf(context)
        return { caller, project: projectOf(caller, needed) }
      },
      detail: { security: [apiKey], 'x-scope': needed },
    }),
    projectCredential: (_: true) => ({
      parse: delayParsing,
      transform: async (context) => {
        await admit(context, (caller) => projectCredentialOf(requireCaller(caller))).catch((error) => {
          throw withMetadata(error, options.addressFor(authContextOf(context).request))
        })
      },
      resolve: (context) => {
        const caller = callerOf(context)
        const origin = options.addressFor(authContextOf(context).request)
        const assertMay = (needed: Scope) => {
          try {
            assertCanUse(caller, needed)
          } catch (error) {
            throw withMetadata(error, origin)
          }
        }
        return { caller, project: projectCredentialOf(caller), may: (needed: Scope) => canUse(caller, needed), assertMay }
      },
      detail: { security: [apiKey] },
    }),
    access: (needed: Scope) => ({
      parse: delayParsing,
      transform: (context) => admit(context, (caller) => assertCanUse(requireCaller(caller), needed)),
      resolve: (context) => ({ caller: callerOf(context) }),
      detail: { security: [session, apiKey], 'x-scope': needed },
    }),
  })
}

/**
 * Builds a macro for resources of a project. It gives the row of the path's `id` as `name`, and throws `not_found` for another project's
 * row.
 */
export function projectResourceMacro<const N extends string, Row>(
  name: N,
  find: (projectId: string, id: string) => Promise<Row | undefined>,
) {
  return (needed: Scope) => ({
    project: needed,
    resolve: async (asked: object) => {
      const row = await find(projectOf(callerOf(asked), needed).id, pathIdOf(asked))
      if (!row) throw notFound(`The ${name}`)
      return { [name]: row } as Record<N, Row>
    },
  })
}

/**
 * Builds the function that identifies and counts the caller of a request. Invalid credentials of a network are counted apart from its
 * requests without a credential. A network over that limit is refused until its minute has passed. Recently found credentials behind it
 * still work.
 */
function identifier(options: AuthOptions) {
  const blocked = new Map<string, number>()
  return async (edge: AuthContext): Promise<Principal | null> => {
    const address = addressOf(edge, options.proxies)
    edge.address = address
    const { credential, isBound } = readCredential(edge.request)
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
    if (isGuess) throw unknownCredential(credential, isBound)
    if (credential !== null && (isBound || caller?.app?.keyThumbprint))
      await assertProof(edge, credential, caller?.app, options.addressFor(edge.request), options.authenticate)
    return caller
  }
}

/** Finds the caller of a request without counting it. Throws if the credential is no longer valid. */
async function find(request: Request, { authenticate }: AuthOptions): Promise<Principal | null> {
  const { credential, isBound } = readCredential(request)
  const caller = credential === null ? null : await authenticate.find(credential)
  if (credential !== null && caller === null) throw unknownCredential(credential, isBound)
  return caller
}

function readCredential(request: Request): { credential: string | null; isBound: boolean } {
  const header = request.headers.get('authorization')
  if (header === null) return { credential: null, isBound: false }
  const match = /^(Bearer|DPoP) ([A-Za-z0-9_\-.~+/=]{1,400})$/i.exec(header)
  return { credential: match?.[2] ?? '', isBound: match?.[1]?.toLowerCase() === 'dpop' }
}

/** Builds the error for an invalid credential, with the challenge of RFC 6750, section 3. */
function unknownCredential(credential: string, isBound: boolean): ApiError {
  const [code, thing, remedy] = credential.startsWith('sk_')
    ? (['invalid_api_key', 'API key', 'Make a new one in the project.'] as const)
    : (['invalid_token', 'token', 'Sign in again.'] as const)
  const what = `This ${thing} is unknown, revoked or expired.`
  return new ApiError(code, `${what} ${remedy}`, {
    headers: { 'www-authenticate': buildChallenge(`error="invalid_token", error_description="${what}"`, isBound) },
  })
}

function requireCaller(caller: Principal | null): Principal {
  if (caller) return caller
  throw unauthenticatedError()
}

/** Returns the user of a first-party session. Throws `forbidden` for API keys and OAuth tokens. */
function personOf({ person, scopes }: Principal, kind: UserKind): Person {
  if (!person || scopes) throw new ApiError('forbidden', 'This is for a signed-in person; an API key cannot do it.')
  if (kind === 'admin' && !person.isAdmin) throw new ApiError('forbidden', 'Only administrators of the platform may do this.')
  if (kind === 'direct') assertDirectUser(person)
  return person
}

/** Returns the user, whether signed in directly or through an app. Throws `forbidden` for API keys. */
function userOrAppOf({ person }: Principal): Person {
  if (person) return person
  throw new ApiError('forbidden', 'This is for a person, or an app that acts as one; an API key cannot do it.')
}

function projectOf(caller: Principal, needed: Scope): ActingProject {
  const project = projectCredentialOf(caller)
  assertCanUse(caller, needed)
  return project
}

function projectCredentialOf(caller: Principal): ActingProject {
  if (caller.app && !caller.project) throw new ApiError('forbidden', 'The user of this token has no project for this request.')
  if (!caller.project) throw new ApiError('forbidden', 'This needs an API key of a project, not a session.')
  return caller.project
}

/** Path of the metadata that names the authorization server, for clients without sufficient credentials. */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource/mcp'

function withMetadata(error: unknown, origin: string): unknown {
  const challenge = error instanceof ApiError ? error.headers['www-authenticate'] : undefined
  if (!(error instanceof ApiError) || challenge === undefined) return error
  const headers = { ...error.headers, 'www-authenticate': `${challenge}, resource_metadata="${origin}${RESOURCE_METADATA}"` }
  const { code, message, details, cause } = error
  return new ApiError(code, message, { details, cause, headers })
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
function addressOf({ request, server }: Pick<AuthContext, 'request' | 'server'>, proxies: number): string {
  const addresses = proxies > 0 ? (request.headers.get('x-forwarded-for') ?? '').split(',').map((part) => part.trim()) : []
  return addresses.at(-proxies) || (server?.requestIP(request)?.address ?? 'local')
}
