import { Elysia } from 'elysia'
import type { Shared } from '../data/shared.ts'
import { parseBody, UnreadableBody } from './body.ts'
import { ApiError } from './errors.ts'
import { type Product, productOf, type Scope } from './scopes.ts'

/** A signed-in person. */
export interface UserCaller {
  readonly kind: 'user'
  readonly userId: string
  readonly isAdmin: boolean
  readonly tokenId: string
}

/** An API key, acting for its project. */
export interface ProjectCaller {
  readonly kind: 'project'
  readonly projectId: string
  readonly tenantId: number
  readonly keyId: string
  readonly scopes: readonly Scope[]
  readonly products: readonly Product[]
}

export type Caller = UserCaller | ProjectCaller

/** Who owns what a caller makes under an Idempotency-Key. */
export const ownerOf = (caller: Caller) => (caller.kind === 'user' ? caller.userId : caller.projectId)

/** Credential text to caller; null where it is unknown, revoked or expired. */
export type Authenticate = (credential: string) => Promise<Caller | null>

export interface AuthOptions {
  readonly authenticate: Authenticate
  readonly shared: Shared
  readonly perCredential: number
  readonly perAddress: number
  /** How many proxies of the operator's stand before this server. */
  readonly proxies: number
}

/** What the hooks below read of Elysia's context. */
interface Edge {
  readonly request: Request
  readonly server: { requestIP(request: Request): { address: string } | null } | null
  readonly set: { headers: Record<string, string | number> }
  readonly body: unknown
  caller?: Caller | null
}

const MINUTE_MS = 60_000
const bearer = (scheme: string) => ({ security: [{ [scheme]: [] }] })

/**
 * Who is asking, whether they may, and how often: as macros whose `transform` runs before validation, so that 401, 403 and 429
 * come before 400. A route names exactly one of them:
 * - `open`: anybody; a credential that is sent must be good, and is then the caller.
 * - `user`: a signed-in person; `'admin'` for administrators of the platform.
 * - `scope`: an API key with this scope, of a project with the scope's product.
 * - `access`: a signed-in person, or an API key with this scope.
 */
export function auth(options: AuthOptions) {
  const identify = async (edge: Edge): Promise<Caller | null> => {
    const credential = readBearer(edge.request)
    const caller = credential === null ? null : await options.authenticate(credential)
    await countRequest(edge, caller, options)
    if (credential !== null && caller === null) throw unknownCredential(credential)
    edge.caller = caller
    return caller
  }
  const passed = ({ body }: Edge) => {
    if (body instanceof UnreadableBody) throw body.failure
  }
  return new Elysia({ name: 'auth' }).macro({
    open: (_: true) => ({
      parse: parseBody,
      async transform(context) {
        const edge = context as unknown as Edge
        await identify(edge)
        passed(edge)
      },
      resolve: (context) => ({ caller: (context as unknown as Edge).caller ?? null }),
      detail: { security: [{}, { session: [] }, { apiKey: [] }] },
    }),
    user: (kind: true | 'admin') => ({
      parse: parseBody,
      async transform(context) {
        const edge = context as unknown as Edge
        const user = asUser(required(await identify(edge)))
        if (kind === 'admin' && !user.isAdmin) throw new ApiError('forbidden', 'Only administrators of the platform may do this.')
        passed(edge)
      },
      resolve: (context) => ({ caller: (context as unknown as Edge).caller as UserCaller }),
      detail: bearer('session'),
    }),
    scope: (needed: Scope) => ({
      parse: parseBody,
      async transform(context) {
        const edge = context as unknown as Edge
        const caller = required(await identify(edge))
        if (caller.kind !== 'project') throw new ApiError('forbidden', 'This is asked with an API key of a project, not with a session.')
        checkScope(caller, needed)
        passed(edge)
      },
      resolve: (context) => ({ caller: (context as unknown as Edge).caller as ProjectCaller }),
      detail: { security: [{ apiKey: [] }], 'x-scope': needed },
    }),
    access: (needed: Scope) => ({
      parse: parseBody,
      async transform(context) {
        const edge = context as unknown as Edge
        const caller = required(await identify(edge))
        if (caller.kind === 'project') checkScope(caller, needed)
        passed(edge)
      },
      resolve: (context) => ({ caller: (context as unknown as Edge).caller as Caller }),
      detail: { security: [{ session: [] }, { apiKey: [] }], 'x-scope': needed },
    }),
  })
}

function readBearer(request: Request): string | null {
  const header = request.headers.get('authorization')
  if (header === null) return null
  const match = /^Bearer ([A-Za-z0-9_\-.~+/=]{1,400})$/i.exec(header)
  return match?.[1] ?? ''
}

function unknownCredential(credential: string): ApiError {
  if (credential.startsWith('sk_'))
    return new ApiError('invalid_api_key', 'This API key is unknown, revoked or expired. Make a new one in the project.')
  return new ApiError('invalid_token', 'This token is unknown, revoked or expired. Sign in again.', {
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  })
}

function required(caller: Caller | null): Caller {
  if (caller) return caller
  throw new ApiError('unauthenticated', 'Send a credential: Authorization: Bearer <session token or API key>.', {
    headers: { 'www-authenticate': 'Bearer' },
  })
}

function asUser(caller: Caller): UserCaller {
  if (caller.kind === 'user') return caller
  throw new ApiError('forbidden', 'This is for a signed-in person; an API key cannot do it.')
}

/** A scope is necessary but not sufficient: the project must have enabled the product too. */
export function checkScope(caller: ProjectCaller, needed: Scope) {
  if (!caller.scopes.includes(needed)) {
    throw new ApiError('insufficient_scope', `This needs the scope ${needed}, which the key does not have.`, {
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${needed}"` },
    })
  }
  const product = productOf(needed)
  if (product && !caller.products.includes(product)) {
    throw new ApiError('product_not_enabled', `The project has not enabled the product ${product}.`)
  }
}

async function countRequest(edge: Edge, caller: Caller | null, { shared, perCredential, perAddress, proxies }: AuthOptions) {
  const address = addressOf(edge, proxies)
  const key = caller === null ? `address:${address}` : caller.kind === 'user' ? `token:${caller.tokenId}` : `key:${caller.keyId}`
  const limit = caller === null ? perAddress : perCredential
  const { count, resetMs } = await shared.hit(`rate:${key}`, MINUTE_MS)
  const reset = String(Math.ceil(resetMs / 1000))
  Object.assign(edge.set.headers, {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(Math.max(0, limit - count)),
    'ratelimit-reset': reset,
  })
  if (count > limit) {
    throw new ApiError('rate_limited', `More than ${limit} requests a minute. Wait ${reset} s.`, { headers: { 'retry-after': reset } })
  }
}

/** Each proxy appends whom it heard from; what stands before our own proxies' words anybody can write. */
function addressOf({ request, server }: Edge, proxies: number): string {
  const heard = proxies > 0 ? (request.headers.get('x-forwarded-for') ?? '').split(',').map((part) => part.trim()) : []
  return heard.at(-proxies) || (server?.requestIP(request)?.address ?? 'local')
}
