import { Elysia } from 'elysia'
import { setTenant } from '../../data/tenant-context.ts'
import { assertBodyLength, registerRecheck } from '../body/body.ts'
import type { BodyRegistry } from '../body/declared-bodies.ts'
import { namesStore } from '../openapi/operation.ts'
import { type AuthContext, authContextOf, callerOf, requireCaller } from './auth-context.ts'
import { personOf, projectCredentialOf, type UserKind, userOrAppOf, withMetadata } from './caller-rules.ts'
import { type AuthOptions, addressOf, callerIdentifier, findCaller } from './identify-caller.ts'
import { actorOf, assertCanUse, canUse, ownerOf, type Principal } from './principal.ts'
import { assertMayAct, openProject, type ProjectAccess, takeStoreId } from './project-access.ts'
import type { Scope } from './scopes.ts'

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
 * - `project`: an API key with this scope, for a project with the scope's product; or a signed-in user with this role, who names the
 *   project's store by `?storeId=`. Gives the `project`.
 * - `userOrApp`: a signed-in user, or an app that acts as the user with any scopes. For data that the app stores about the user.
 * - `client`: a client that the route authenticates itself.
 * - `projectCredential`: an API key or an app's token that acts for a project, with any scopes. The handler checks a scope for each action.
 *   A refusal names the resource metadata (RFC 9728).
 * - `access`: a signed-in user, or an API key with this scope. For routes outside any store; others use `store` of shop/stores.
 */
export function authMacros(options: AuthOptions, bodies: BodyRegistry) {
  const admit = admitter(options, bodies)
  return new Elysia({ name: 'auth' }).macro({
    open: openMacro(admit),
    user: userMacro(admit),
    userOrApp: userOrAppMacro(admit),
    client: clientMacro(options),
    project: projectMacro(admit, options),
    projectCredential: projectCredentialMacro(admit, options),
    access: accessMacro(admit),
  })
}

/** Identifies the caller of a request, and lets it through unless `authorise` throws. */
type Admit = (context: object, authorise: (caller: Principal | null) => unknown) => Promise<void>

/** Builds the function that identifies the caller of a request, authorizes it, and only then reads the body. */
function admitter(options: AuthOptions, bodies: BodyRegistry): Admit {
  const identify = callerIdentifier(options)
  return async (context, authorise) => {
    const edge = authContextOf(context)
    assertBodyLength(edge.request, bodies.maxBytesOf(edge.request.method, edge.route))
    edge.caller = await identify(edge)
    if (edge.caller) setTenant(ownerOf(edge.caller), actorOf(edge.caller))
    authoriseCaller(edge, authorise)
    if (edge.caller)
      registerRecheck(edge.request, async () => {
        edge.caller = await findCaller(edge.request, options)
        authorise(edge.caller)
      })
    edge.body = await bodies.read(edge.request, edge.route)
  }
}

/** Authorizes the caller. If there is none because the session cookie does not count, throws the reason. */
function authoriseCaller({ caller = null, refusedCookie }: AuthContext, authorise: (caller: Principal | null) => unknown): void {
  try {
    authorise(caller)
  } catch (error) {
    throw caller === null ? (refusedCookie ?? error) : error
  }
}

/** Builds the macro `open`: anyone, with or without a valid credential. */
const openMacro = (admit: Admit) => (kind: true | 'page') => ({
  parse: delayParsing,
  transform: async (context: object) => {
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
  resolve: (context: object) => {
    const { caller = null, address = '', refused = null } = authContextOf(context)
    return { caller, address, refused }
  },
  detail: { security: [{}, session, apiKey] },
})

/** Builds the macro `user`: a signed-in user. */
const userMacro = (admit: Admit) => (kind: UserKind) => ({
  parse: delayParsing,
  transform: (context: object) => admit(context, (caller) => personOf(requireCaller(caller), kind)),
  resolve: (context: object) => {
    const caller = callerOf(context)
    return { caller, person: personOf(caller, kind), address: authContextOf(context).address ?? '' }
  },
  detail: { security: [session], ...(kind === 'admin' && { 'x-role': 'admin of the platform' }) },
})

/** Builds the macro `userOrApp`: a signed-in user, or an app that acts as the user. */
const userOrAppMacro = (admit: Admit) => (_: true) => ({
  parse: delayParsing,
  transform: (context: object) => admit(context, (caller) => userOrAppOf(requireCaller(caller))),
  resolve: (context: object) => {
    const caller = callerOf(context)
    return { caller, person: userOrAppOf(caller) }
  },
  detail: { security: [session] },
})

/** Builds the macro `client`: a client that the route authenticates itself. */
const clientMacro = (options: AuthOptions) => (_: true) => ({
  // Names the properties one by one: if the whole context is passed on, Elysia parses all of it, cookies and query too.
  parse: delayParsing,
  resolve: ({ request, server }: Pick<AuthContext, 'request' | 'server'>) => ({ address: addressOf({ request, server }, options.proxies) }),
  detail: { security: [], 'x-callback': true } as object,
})

/** Builds the macro `project`: an API key with a scope, or a signed-in user who names a store. */
const projectMacro =
  (admit: Admit, { findProjectOfStore }: AuthOptions) =>
  ([role, scope]: ProjectAccess) => ({
    parse: delayParsing,
    transform: async (context: object) => {
      takeStoreId(authContextOf(context))
      await admit(context, (caller) => assertMayAct(requireCaller(caller), scope))
    },
    resolve: async (context: object) => {
      const project = await openProject(context, [role, scope], findProjectOfStore)
      return { caller: callerOf(context), project }
    },
    detail: { security: [session, apiKey], 'x-role': role, 'x-scope': scope, ...namesStore },
  })

/** Builds the macro `projectCredential`: an API key or a token that acts for a project, with any scopes. */
const projectCredentialMacro = (admit: Admit, options: AuthOptions) => (_: true) => ({
  parse: delayParsing,
  transform: async (context: object) => {
    await admit(context, (caller) => projectCredentialOf(requireCaller(caller))).catch((error) => {
      throw withMetadata(error, options.addressFor(authContextOf(context).request))
    })
  },
  resolve: (context: object) => {
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
})

/** Builds the macro `access`: a signed-in user, or an API key with a scope. */
const accessMacro = (admit: Admit) => (needed: Scope) => ({
  parse: delayParsing,
  transform: (context: object) => admit(context, (caller) => assertCanUse(requireCaller(caller), needed)),
  resolve: (context: object) => ({ caller: callerOf(context) }),
  detail: { security: [session, apiKey], 'x-scope': needed },
})
