import { ApiError } from '../errors/errors.ts'
import { type ActingProject, assertCanUse, assertDirectUser, type Person, type Principal } from './principal.ts'
import type { Scope } from './scopes.ts'

/** Users that a route accepts: any, administrators only, or users who are not impersonated. */
export type UserKind = true | 'admin' | 'direct'

/** Returns the user of a first-party session. Throws `forbidden` for API keys and OAuth tokens. */
export function personOf({ person, scopes }: Principal, kind: UserKind): Person {
  if (!person || scopes) throw new ApiError('forbidden', 'This is for a signed-in person; an API key cannot do it.')
  if (kind === 'admin' && !person.isAdmin) throw new ApiError('forbidden', adminNeeded(person))
  if (kind === 'direct') assertDirectUser(person)
  return person
}

/** Returns the sentence for a user who is no administrator. One who acts as that user is told how to be themselves again. */
const adminNeeded = ({ adminId }: Person): string =>
  adminId === undefined
    ? 'Only administrators of the platform may do this.'
    : 'You act as a user who is no administrator of the platform. Stop acting as them first.'

/** Returns the user, whether signed in directly or through an app. Throws `forbidden` for API keys. */
export function userOrAppOf({ person }: Principal): Person {
  if (person) return person
  throw new ApiError('forbidden', 'This is for a person, or an app that acts as one; an API key cannot do it.')
}

/** Returns the project of a caller that has the scope. Throws `forbidden`. */
export function projectOf(caller: Principal, needed: Scope): ActingProject {
  const project = projectCredentialOf(caller)
  assertCanUse(caller, needed)
  return project
}

/** Returns the project that a credential acts for. Throws `forbidden` for a session, and for an app without a project. */
export function projectCredentialOf(caller: Principal): ActingProject {
  if (caller.app && !caller.project) throw new ApiError('forbidden', 'The user of this token has no project for this request.')
  if (!caller.project) throw new ApiError('forbidden', 'This needs an API key of a project, not a session.')
  return caller.project
}

/** Path of the metadata that names the authorization server, for clients without sufficient credentials. */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource/mcp'

/** Adds the address of the resource metadata (RFC 9728) to the challenge of an error. Returns any other error unchanged. */
export function withMetadata(error: unknown, origin: string): unknown {
  const challenge = error instanceof ApiError ? error.headers['www-authenticate'] : undefined
  if (!(error instanceof ApiError) || challenge === undefined) return error
  const headers = { ...error.headers, 'www-authenticate': `${challenge}, resource_metadata="${origin}${RESOURCE_METADATA}"` }
  const { code, message, details, cause } = error
  return new ApiError(code, message, { details, cause, headers })
}
