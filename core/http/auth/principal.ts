import type { Actor } from '../../data/tenant-context.ts'
import { ApiError } from '../errors/errors.ts'
import { type Product, productOf, type Scope } from './scopes.ts'

/** A signed-in person. */
export interface Person {
  readonly id: string
  /** Of the platform: may do anything in every store. */
  readonly isAdmin: boolean
  /** The administrator of the platform who acts in his name. */
  readonly adminId?: string
}

/** The project that an API key or an app's token acts for, and what it has enabled. */
export interface ActingProject {
  readonly id: string
  readonly tenantId: number
  readonly products: readonly Product[]
  /** How many requests a minute all of its tenant may make, where that is said of the tenant. */
  readonly perMinute: number | null
}

/**
 * Who asks. A session acts as its person, whose roles say what he may do; an API key acts for its project, as far as its scopes go. An
 * app's token acts as its person, as far as its scopes go, in the project that he steers.
 * Routes declare what they need of it and hand it on: nobody but core/http, core/identity and the gate of stores looks into it.
 */
export interface Principal {
  /** Of the session, the key or what the app was granted: its requests are counted together. */
  readonly credentialId: string
  readonly person: Person | null
  readonly project: ActingProject | null
  /** What was granted; null for a person who came himself, whom no scope limits. */
  readonly scopes: readonly Scope[] | null
  /** The person who signed in, or who made the key; null where that is not known. */
  readonly personId: string | null
  /** Whose token it is, of an app that a person let in. */
  readonly app?: ActingApp
}

/** A program of others that acts as a person. */
export interface ActingApp {
  readonly id: string
  /** The thumbprint of the key that each request has to prove; null where whoever has the token may use it. */
  readonly boundTo: string | null
  /** Whether that proof carries a nonce of ours. */
  readonly dpopNonces: boolean
}

/** Who owns what a principal makes under an Idempotency-Key: a person, or the project of a key. */
export const ownerOf = ({ person, project, personId, credentialId }: Principal): string =>
  person?.id ?? project?.id ?? personId ?? credentialId

/** Whom a log of changes names. */
export const actorOf = ({ person, app, credentialId }: Principal): Actor =>
  person
    ? { kind: 'person', id: person.id, appId: app?.id ?? null, adminId: person.adminId ?? null }
    : { kind: 'key', id: credentialId, appId: null, adminId: null }

/** The person it acts as; null for a key, which acts for its project. */
export const personIdOf = ({ person }: Principal): string | null => person?.id ?? null

/** The person who came himself; null for keys, and for apps that act as somebody. */
export const directUserOf = ({ person, scopes }: Principal): string | null => (scopes === null ? (person?.id ?? null) : null)

/** What stays a person's own is decided by nobody in his name. Throws `forbidden` for an administrator who acts as him. */
export function assertDirectUser(person: Person | null): void {
  if (person?.adminId === undefined) return
  throw new ApiError('forbidden', 'An administrator who acts as a person cannot do this: it is for that person himself.')
}

/** Whether it administers the platform. */
export const isAdmin = ({ person }: Principal): boolean => person?.isAdmin ?? false

/** Whether it acts for this project, and no other. Who acts as a person has that person's roles instead. */
export const actsFor = ({ person, project }: Principal, projectId: string): boolean => person === null && project?.id === projectId

/** There is no credential, so there is nothing wrong with one to tell (RFC 6750, 3.1). */
export const unauthenticated = () =>
  new ApiError('unauthenticated', 'Send a credential: Authorization: Bearer <session token or API key>.', {
    headers: { 'www-authenticate': 'Bearer realm="api"' },
  })

/** Whether the scope was granted to it, whatever its project has enabled. Throws `insufficient_scope` where not. */
export function assertGranted({ scopes, app }: Principal, needed: Scope): void {
  if (scopes !== null && !scopes.includes(needed)) throw insufficientScope(needed, app)
}

/** Whether it has the scope, and its project the scope's product: a scope is necessary but not sufficient. */
export const can = (principal: Principal, needed: Scope): boolean => lackOf(principal, needed) === null

/** Throws `insufficient_scope` or `product_not_enabled` where it cannot. */
export function assertCan(principal: Principal, needed: Scope): void {
  const lack = lackOf(principal, needed)
  if (lack) throw lack
}

function lackOf({ scopes, project, app }: Principal, needed: Scope): ApiError | null {
  if (scopes !== null && !scopes.includes(needed)) return insufficientScope(needed, app)
  const product = productOf(needed)
  if (!project || !product || project.products.includes(product)) return null
  return new ApiError('product_not_enabled', `The project has not enabled the product ${product}.`)
}

/** What a credential lacks, in the scheme that it was sent by: RFC 6750, 3, and RFC 9449, 7.1. */
export const challenge = (what: string, isBound: boolean): string =>
  isBound ? `DPoP ${what}, algs="ES256 Ed25519 EdDSA PS256 RS256"` : `Bearer ${what}`

const insufficientScope = (needed: Scope, app: ActingApp | undefined) =>
  new ApiError('insufficient_scope', `This needs the scope ${needed}, which the credential does not have.`, {
    headers: { 'www-authenticate': challenge(`error="insufficient_scope", scope="${needed}"`, app?.boundTo != null) },
  })
