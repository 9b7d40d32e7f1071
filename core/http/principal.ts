import { ApiError } from './errors.ts'
import { type Product, productOf, type Scope } from './scopes.ts'

/** A signed-in person. */
export interface Person {
  readonly id: string
  /** Of the platform: may do anything in every store. */
  readonly isAdmin: boolean
}

/** The project that an API key or an app's token acts for, and what it has enabled. */
export interface ActingProject {
  readonly id: string
  readonly tenantId: number
  readonly products: readonly Product[]
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
}

/** Who owns what a principal makes under an Idempotency-Key: a person, or the project of a key. */
export const ownerOf = ({ person, project, personId, credentialId }: Principal): string =>
  person?.id ?? project?.id ?? personId ?? credentialId

/** Whether it administers the platform. */
export const isAdmin = ({ person }: Principal): boolean => person?.isAdmin ?? false

/** Whether it acts for this project, and no other. Who acts as a person has that person's roles instead. */
export const actsFor = ({ person, project }: Principal, projectId: string): boolean => person === null && project?.id === projectId

/** Whether it has the scope, and its project the scope's product: a scope is necessary but not sufficient. */
export const can = (principal: Principal, needed: Scope): boolean => lackOf(principal, needed) === null

/** Throws `insufficient_scope` or `product_not_enabled` where it cannot. */
export function assertCan(principal: Principal, needed: Scope): void {
  const lack = lackOf(principal, needed)
  if (lack) throw lack
}

function lackOf({ scopes, project }: Principal, needed: Scope): ApiError | null {
  if (scopes !== null && !scopes.includes(needed)) {
    return new ApiError('insufficient_scope', `This needs the scope ${needed}, which the credential does not have.`, {
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${needed}"` },
    })
  }
  const product = productOf(needed)
  if (!project || !product || project.products.includes(product)) return null
  return new ApiError('product_not_enabled', `The project has not enabled the product ${product}.`)
}
