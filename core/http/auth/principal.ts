import type { Actor } from '../../data/tenant-context.ts'
import { ApiError } from '../errors/errors.ts'
import { type Product, productOf, type Scope } from './scopes.ts'

/** Signed-in user. */
export interface Person {
  readonly id: string
  /** True for an administrator of the platform, who may do anything in every store. */
  readonly isAdmin: boolean
  /** Administrator of the platform who impersonates the user. */
  readonly adminId?: string
}

/** Project that an API key or an app's token acts for, with its enabled products. */
export interface ActingProject {
  readonly id: string
  readonly tenantId: number
  readonly products: readonly Product[]
  /** Requests per minute of the tenant; null for the default. */
  readonly requestsPerMinute: number | null
}

/**
 * Authenticated caller. A session acts as its user, whose roles decide. An API key acts for its project, within its scopes. An app's token
 * acts as its user in a project that the user manages, within its scopes. Routes declare the access they need. Only core/http,
 * core/identity and the store guard look inside a principal.
 */
export interface Principal {
  /** Id of the session, the key or the grant. Requests are counted by it. */
  readonly credentialId: string
  readonly person: Person | null
  readonly project: ActingProject | null
  /** Granted scopes; null for a first-party session, which no scope limits. */
  readonly scopes: readonly Scope[] | null
  /** User who signed in or created the key; null if unknown. */
  readonly personId: string | null
  /** App that holds the token; absent for sessions and API keys. */
  readonly app?: ActingApp
}

/** Third-party app that acts as a user. */
export interface ActingApp {
  readonly id: string
  /** Thumbprint of the key that each request must prove; null for a bearer token. */
  readonly keyThumbprint: string | null
  /** True if the proof must contain a nonce of this server. */
  readonly needsDpopNonce: boolean
}

/** Returns the owner of idempotency keys and rate limits: the user, or the project of a key. */
export const ownerOf = ({ person, project, personId, credentialId }: Principal): string =>
  person?.id ?? project?.id ?? personId ?? credentialId

/** Returns the actor for the audit log. */
export const actorOf = ({ person, app, credentialId }: Principal): Actor =>
  person
    ? { kind: 'person', id: person.id, appId: app?.id ?? null, adminId: person.adminId ?? null }
    : { kind: 'key', id: credentialId, appId: null, adminId: null }

/** Returns the id of the user; null for API keys. */
export const personIdOf = ({ person }: Principal): string | null => person?.id ?? null

/** Returns the id of the grant by which an app acts for its user; null for sessions and API keys. */
export const grantIdOf = ({ app, credentialId }: Principal): string | null => (app ? credentialId : null)

/** Returns the user of a first-party session; null for API keys and OAuth tokens. */
export const directUserOf = ({ person, scopes }: Principal): string | null => (scopes === null ? (person?.id ?? null) : null)

/** Throws `forbidden` for an administrator who impersonates the user. Protects actions that only users themselves may take. */
export function assertDirectUser(person: Person | null): void {
  if (person?.adminId === undefined) return
  throw new ApiError('forbidden', 'Administrators cannot do this while they act as a user. Only the user can.')
}

/** Returns true for an administrator of the platform. */
export const isAdmin = ({ person }: Principal): boolean => person?.isAdmin ?? false

/** Returns true if an API key acts for this project. False for users, whose roles decide instead. */
export const isKeyOfProject = ({ person, project }: Principal, projectId: string): boolean => person === null && project?.id === projectId

/** Builds the error for a missing credential. Its challenge names no error (RFC 6750, section 3.1). */
export const unauthenticatedError = () =>
  new ApiError('unauthenticated', 'Send a credential: Authorization: Bearer <session token or API key>.', {
    headers: { 'www-authenticate': 'Bearer realm="api"' },
  })

/** Throws `insufficient_scope` unless the scope is granted, whatever products the project has enabled. */
export function assertGranted({ scopes, app }: Principal, needed: Scope): void {
  if (scopes !== null && !scopes.includes(needed)) throw insufficientScope(needed, app)
}

/** Returns true if the scope is granted and the project has the scope's product enabled. */
export const canUse = (principal: Principal, needed: Scope): boolean => missingAccess(principal, needed) === null

/** Throws `insufficient_scope` or `product_not_enabled` unless {@link canUse} is true. */
export function assertCanUse(principal: Principal, needed: Scope): void {
  const missing = missingAccess(principal, needed)
  if (missing) throw missing
}

function missingAccess({ scopes, project, app }: Principal, needed: Scope): ApiError | null {
  if (scopes !== null && !scopes.includes(needed)) return insufficientScope(needed, app)
  const product = productOf(needed)
  if (!project || !product || project.products.includes(product)) return null
  return new ApiError('product_not_enabled', `The project has not enabled the product ${product}.`)
}

/** Builds a `WWW-Authenticate` challenge in the scheme of the credential (RFC 6750, section 3; RFC 9449, section 7.1). */
export const buildChallenge = (what: string, { isBound }: { readonly isBound: boolean }): string =>
  isBound ? `DPoP ${what}, algs="ES256 Ed25519 EdDSA PS256 RS256"` : `Bearer ${what}`

const insufficientScope = (needed: Scope, app: ActingApp | undefined) =>
  new ApiError('insufficient_scope', `This needs the scope ${needed}, which the credential does not have.`, {
    headers: {
      'www-authenticate': buildChallenge(`error="insufficient_scope", scope="${needed}"`, { isBound: app?.keyThumbprint != null }),
    },
  })
