import { Elysia } from 'elysia'
import type { Shared } from '../../data/shared/shared.ts'
import { setTenant } from '../../data/tenant-context.ts'
import { evictOldest } from '../../lib/evict-oldest.ts'
import { networkOf } from '../../lib/net/addresses.ts'
import { askAgain, assertLength } from '../body/body.ts'
import type { Bodies } from '../body/declared-bodies.ts'
import { ApiError, notFound } from '../errors/errors.ts'
import { rateHeaders, tooMany } from '../rates.ts'
import { assertBound, type DpopVerifier } from './dpop.ts'
import {
  type ActingProject,
  actorOf,
  assertCan,
  assertDirectUser,
  can,
  challenge,
  ownerOf,
  type Person,
  type Principal,
  unauthenticated,
} from './principal.ts'
import type { Scope } from './scopes.ts'

export interface Authenticate extends DpopVerifier {
  /** Credential text to principal; null where it is unknown, revoked or expired. */
  find(credential: string): Promise<Principal | null>
  /** Whether it was found a moment ago, so that finding it costs nothing. */
  remembers(credential: string): boolean
}

export interface AuthOptions {
  readonly authenticate: Authenticate
  readonly shared: Shared
  readonly perCredential: number
  readonly perAddress: number
  /** Of all credentials of a tenant together, unless its own limits say otherwise; 0 for no limit. */
  readonly perTenant: number
  /** How many proxies of the operator's stand before this server. */
  readonly proxies: number
  /** Address of this server, for the answer to a request. */
  addressFor(request: Request): string
}

/** What hooks read and write of Elysia's context. */
export interface Edge {
  readonly request: Request
  /** The path as it was declared. */
  readonly route: string
  readonly server: { requestIP(request: Request): { address: string } | null } | null
  readonly set: { headers: Record<string, string | number> }
  /** Absent where the path names none. */
  readonly params?: Readonly<Record<string, string | undefined>>
  /** Absent where nobody reads it. */
  readonly query?: Readonly<Record<string, unknown>>
  body: unknown
  caller?: Principal | null
  address?: string
  /** Why it may not be asked, where a page says so. */
  refused?: unknown
}

/** A macro is written before the routes that name it, so its hooks cannot know their context by its type. */
export const edgeOf = (context: object) => context as Edge

/** What stands for `:id` in the path. */
export const idOf = (context: object): string => edgeOf(context).params?.id ?? ''

/** Who asks, where a route takes nobody without a credential. */
export const callerOf = (context: object): Principal => required(edgeOf(context).caller ?? null)

type UserKind = true | 'admin' | 'himself'

const MINUTE_MS = 60_000
const BARRED_MAX = 10_000
const [session, apiKey] = [{ session: [] }, { apiKey: [] }]
/** The body is read by `admit`, once it is known that its sender may ask. */
const readLater = () => null

/**
 * Who is asking, whether they may, and how often, and only then what: as macros whose `transform` runs before validation. Nothing is
 * read of a request that is refused by its headers. A route names exactly one macro, of these or of those that build on them:
 * - `open`: anybody; a credential that is sent must be good, and is then the caller. Of `'page'` what is refused to who brings none comes to the route as
 *   `refused`, which shows it to a person.
 * - `user`: a signed-in person, given as `person`; `'admin'` for administrators of the platform, `'himself'` for no administrator who acts as
 *   somebody.
 * - `project`: an API key with this scope, of a project with the scope's product. Gives the `project`.
 * - `self`: a signed-in person, or an app that acts as him, whatever its scopes: for what the app keeps of him.
 * - `client`: a program that says in its own way who it is, which the route reads.
 * - `acting`: what acts for a project, an API key or an app's token, whatever its scopes: what is done for it asks for each. It hears where
 *   programs learn how to be let in (RFC 9728).
 * - `access`: a signed-in person, or an API key with this scope. Only where it is about no store: else `store` of shop/stores.
 */
export function auth(options: AuthOptions, bodies: Bodies) {
  const identify = identifier(options)
  const admit = async (context: object, authorise: (caller: Principal | null) => unknown) => {
    const edge = edgeOf(context)
    assertLength(edge.request, bodies.maxOf(edge.request.method, edge.route))
    edge.caller = await identify(edge)
    if (edge.caller) setTenant(ownerOf(edge.caller), actorOf(edge.caller))
    authorise(edge.caller)
    if (edge.caller)
      askAgain(edge.request, async () => {
        edge.caller = await find(edge.request, options)
        authorise(edge.caller)
      })
    edge.body = await bodies.read(edge.request, edge.route)
  }
  return new Elysia({ name: 'auth' }).macro({
    open: (kind: true | 'page') => ({
      parse: readLater,
      transform: async (context) => {
        const edge = edgeOf(context)
        try {
          await admit(context, () => {})
        } catch (error) {
          if (kind !== 'page' || edge.request.headers.has('authorization')) throw error
          edge.refused = error
        }
        // Its person's roles alone would let it do what it was not granted: without a project it is one of the public.
        if (edge.caller?.app && !edge.caller.project) edge.caller = null
      },
      resolve: (context) => {
        const { caller = null, address = '', refused = null } = edgeOf(context)
        return { caller, address, refused }
      },
      detail: { security: [{}, session, apiKey] },
    }),
    user: (kind: UserKind) => ({
      parse: readLater,
      transform: (context) => admit(context, (caller) => personOf(required(caller), kind)),
      resolve: (context) => {
        const caller = callerOf(context)
        return { caller, person: personOf(caller, kind), address: edgeOf(context).address ?? '' }
      },
      detail: { security: [session], ...(kind === 'admin' && { 'x-role': 'admin of the platform' }) },
    }),
    self: (_: true) => ({
      parse: readLater,
      transform: (context) => admit(context, (caller) => selfOf(required(caller))),
      resolve: (context) => {
        const caller = callerOf(context)
        return { caller, person: selfOf(caller) }
      },
      detail: { security: [session] },
    }),
    // Named one by one: of a context that is passed on whole, Elysia reads all first, cookies and query too.
    client: (_: true) => ({
      parse: readLater,
      resolve: ({ request, server }) => ({ address: addressOf({ request, server }, options.proxies) }),
      detail: { security: [], 'x-callback': true } as object,
    }),
    project: (needed: Scope) => ({
      parse: readLater,
      transform: (context) => admit(context, (caller) => projectOf(required(caller), needed)),
      resolve: (context) => {
        const caller = callerOf(context)
        return { caller, project: projectOf(caller, needed) }
      },
      detail: { security: [apiKey], 'x-scope': needed },
    }),
    acting: (_: true) => ({
      parse: readLater,
      transform: async (context) => {
        await admit(context, (caller) => actingOf(required(caller))).catch((error) => {
          throw withMetadata(error, options.addressFor(edgeOf(context).request))
        })
      },
      resolve: (context) => {
        const caller = callerOf(context)
        const origin = options.addressFor(edgeOf(context).request)
        const assertMay = (needed: Scope) => {
          try {
            assertCan(caller, needed)
          } catch (error) {
            throw withMetadata(error, origin)
          }
        }
        return { caller, project: actingOf(caller), may: (needed: Scope) => can(caller, needed), assertMay }
      },
      detail: { security: [apiKey] },
    }),
    access: (needed: Scope) => ({
      parse: readLater,
      transform: (context) => admit(context, (caller) => assertCan(required(caller), needed)),
      resolve: (context) => ({ caller: callerOf(context) }),
      detail: { security: [session, apiKey], 'x-scope': needed },
    }),
  })
}

/** A macro for what a project has and the path names by its own `id`: gives the row under `name`. Another project's is 404. */
export function ofProject<const N extends string, Row>(name: N, find: (projectId: string, id: string) => Promise<Row | undefined>) {
  return (needed: Scope) => ({
    project: needed,
    resolve: async (asked: object) => {
      const row = await find(projectOf(callerOf(asked), needed).id, idOf(asked))
      if (!row) throw notFound(`The ${name}`)
      return { [name]: row } as Record<N, Row>
    },
  })
}

/**
 * Credentials to callers, counted. What a network guessed is counted apart from what it asks without a credential: who has guessed too often is
 * not looked up again until its minute is over, and everybody else behind the same address is.
 */
function identifier(options: AuthOptions) {
  const barred = new Map<string, number>()
  return async (edge: Edge): Promise<Principal | null> => {
    const address = addressOf(edge, options.proxies)
    edge.address = address
    const { credential, isBound } = readCredential(edge.request)
    const network = networkOf(address)
    const waitMs = (barred.get(network) ?? 0) - Date.now()
    if (waitMs > 0 && credential !== null && !options.authenticate.remembers(credential)) throw tooMany(options.perAddress, waitMs)
    const caller = credential === null ? null : await options.authenticate.find(credential)
    const isGuess = credential !== null && caller === null
    const over = await countRequest(edge, caller, `${isGuess ? 'guesses' : 'address'}:${network}`, options)
    if (over) {
      evictOldest(barred, BARRED_MAX - 1)
      if (isGuess) barred.set(network, Date.now() + over.resetMs)
      throw tooMany(over.limit, over.resetMs)
    }
    if (isGuess) throw unknownCredential(credential, isBound)
    if (credential !== null && (isBound || caller?.app?.boundTo))
      await assertBound(edge, credential, caller?.app, options.addressFor(edge.request), options.authenticate)
    return caller
  }
}

/** Whoever a request names, uncounted. Throws where it names somebody who is not there any more. */
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

/** As RFC 6750, 3 says: who sent a credential hears what is wrong with it. */
function unknownCredential(credential: string, isBound: boolean): ApiError {
  const [code, thing, remedy] = credential.startsWith('sk_')
    ? (['invalid_api_key', 'API key', 'Make a new one in the project.'] as const)
    : (['invalid_token', 'token', 'Sign in again.'] as const)
  const what = `This ${thing} is unknown, revoked or expired.`
  return new ApiError(code, `${what} ${remedy}`, {
    headers: { 'www-authenticate': challenge(`error="invalid_token", error_description="${what}"`, isBound) },
  })
}

function required(caller: Principal | null): Principal {
  if (caller) return caller
  throw unauthenticated()
}

/** A person who came himself, not through what he let act for him. */
function personOf({ person, scopes }: Principal, kind: UserKind): Person {
  if (!person || scopes) throw new ApiError('forbidden', 'This is for a signed-in person; an API key cannot do it.')
  if (kind === 'admin' && !person.isAdmin) throw new ApiError('forbidden', 'Only administrators of the platform may do this.')
  if (kind === 'himself') assertDirectUser(person)
  return person
}

/** A person, or what acts as him. */
function selfOf({ person }: Principal): Person {
  if (person) return person
  throw new ApiError('forbidden', 'This is for a person, or an app that acts as one; an API key cannot do it.')
}

function projectOf(caller: Principal, needed: Scope): ActingProject {
  const project = actingOf(caller)
  assertCan(caller, needed)
  return project
}

function actingOf(caller: Principal): ActingProject {
  if (caller.app && !caller.project) throw new ApiError('forbidden', 'The person whom this token acts as has no project to do this in.')
  if (!caller.project) throw new ApiError('forbidden', 'This is asked with an API key of a project, not with a session.')
  return caller.project
}

/** Where a program that has no credential yet, or too little of one, reads who gives them. */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource/mcp'

function withMetadata(error: unknown, origin: string): unknown {
  const challenge = error instanceof ApiError ? error.extra.headers?.['www-authenticate'] : undefined
  if (!(error instanceof ApiError) || challenge === undefined) return error
  const headers = { ...error.extra.headers, 'www-authenticate': `${challenge}, resource_metadata="${origin}${RESOURCE_METADATA}"` }
  return new ApiError(error.code, error.message, { ...error.extra, headers })
}

/** Null where the request may go on; else the limit that it is over, and the milliseconds until the next one may. */
async function countRequest(
  edge: Edge,
  caller: Principal | null,
  stranger: string,
  { shared, perCredential, perAddress, perTenant }: AuthOptions,
): Promise<{ limit: number; resetMs: number } | null> {
  const key = caller === null ? stranger : `credential:${caller.credentialId}`
  const ofTenant = caller?.project ? (caller.project.perMinute ?? perTenant) : 0
  const counted = [
    { key, limit: caller === null ? perAddress : perCredential },
    ...(caller?.project && ofTenant > 0 ? [{ key: `tenant:${caller.project.tenantId}`, limit: ofTenant }] : []),
  ]
  const windows = await Promise.all(
    counted.map(async ({ key: of, limit }) => {
      const { count, resetMs } = await shared.hit(`rate:${of}`, MINUTE_MS)
      return { limit, left: limit - count, resetMs: Math.max(1, resetMs) }
    }),
  )
  // Told of is the one that is used up first.
  const { limit, left, resetMs } = windows.reduce((least, one) => (one.left < least.left ? one : least))
  Object.assign(edge.set.headers, rateHeaders(limit, left, resetMs))
  return left < 0 ? { limit, resetMs } : null
}

/** Each proxy appends whom it heard from; what stands before our own proxies' words anybody can write. */
function addressOf({ request, server }: Pick<Edge, 'request' | 'server'>, proxies: number): string {
  const heard = proxies > 0 ? (request.headers.get('x-forwarded-for') ?? '').split(',').map((part) => part.trim()) : []
  return heard.at(-proxies) || (server?.requestIP(request)?.address ?? 'local')
}
