import type { SharedState } from '../../../data/shared/shared.ts'
import type { Sql } from '../../../data/sql.ts'
import type { CredentialLookup } from '../../../http/auth/identify-caller.ts'
import type { Principal } from '../../../http/auth/principal.ts'
import { sha256, type Vault } from '../../../lib/crypto/crypto.ts'
import { findApiKeyByHash, findAppTokenByHash, findSessionByHash } from '../auth.queries.ts'
import { type CacheEntry, type CredentialCaches, evictKeys, evictTagged, openCredentialCaches } from './credential-cache.ts'
import { verifyProof } from './dpop.ts'
import { dpopNonces } from './dpop-nonces.ts'
import type { LastUsedRecorder } from './last-used.ts'
import { weekOfToken } from './token-text.ts'

/** Cache lifetime of an app token whose user has no project, because one may be created at any moment. */
const WITHOUT_PROJECT_MS = 500

/** Authenticates credentials and caches the result. */
export interface Authenticator {
  readonly authenticate: CredentialLookup
  /** Creates caches for other data whose changes the database reports in the same way. */
  readonly caches: Pick<CredentialCaches, 'open' | 'onEviction'>
  stop(): Promise<void>
}

/** Removes credentials from the caches of all processes at once. Without it they learn of the change from the database within a second. */
export const evictCredentials = (shared: SharedState, hashes: readonly string[]) => evictKeys(shared, hashes)

/** Removes all tokens of OAuth grants from the caches of all processes. */
export const evictGrantCredentials = (shared: SharedState, grantIds: readonly string[]) =>
  evictTagged(shared, grantIds.map(tagOf.credential))

/** Removes an app and all its tokens from the caches of all processes. */
export const evictAppCredentials = (shared: SharedState, id: string) => evictTagged(shared, [tagOf.app(id)])

/** Removes all credentials that act for a user from the caches of all processes. */
export const evictUserCredentials = (shared: SharedState, id: string) => evictTagged(shared, [tagOf.person(id)])

/** Removes all credentials that act in a project from the caches of all processes. */
export const evictProjectCredentials = (shared: SharedState, id: string) => evictTagged(shared, [tagOf.project(id)])

/** Removes all credentials that act in the projects of a tenant from the caches of all processes. */
export const evictTenantCredentials = (shared: SharedState, id: number) => evictTagged(shared, [tagOf.tenant(id)])

/** Creates the authenticator. `listener` is a connection of its own, on which it polls for revocations. */
export async function openAuthenticator(
  sql: Sql,
  listener: Sql,
  shared: SharedState,
  vault: Vault,
  used: LastUsedRecorder,
): Promise<Authenticator> {
  const memories = await openCredentialCaches(listener, shared)
  const principals = memories.open<Principal>()
  return {
    authenticate: {
      isCached: (credential) => principals.peek(sha256(credential)) !== undefined,
      async find(credential) {
        const hash = sha256(credential)
        const principal = await principals.getOrLoad(hash, () => loadPrincipal(sql, credential, hash))
        if (principal) used.record(principal)
        return principal
      },
      thumbprint: (proof, request) => verifyProof(shared, proof, request),
      nonces: dpopNonces(vault),
    },
    caches: memories,
    stop: memories.stop,
  }
}

/** Finds the principal of a credential, with the tags and the lifetime of its cache entry. */
async function loadPrincipal(sql: Sql, credential: string, hash: string): Promise<CacheEntry<Principal> | null> {
  const known = await findByPrefix(sql, credential, hash)
  if (!known) return null
  const { principal, expires } = known
  // The clock counts whole milliseconds and may be almost one behind.
  const left = expires - Date.now() - 1
  const lifeMs = principal.app && !principal.project ? Math.min(WITHOUT_PROJECT_MS, left) : left
  return { value: principal, tags: tagsOf(principal, hash), lifeMs }
}

/** Builds the revocation tags of cache entries. Database triggers write the same texts. */
export const tagOf = {
  app: (id: string) => `app:${id}`,
  credential: (id: string) => `credential:${id}`,
  token: (digest: string) => `token:${digest}`,
  person: (id: string) => `person:${id}`,
  project: (id: string) => `project:${id}`,
  tenant: (id: number) => `tenant:${id}`,
}

const tagsOf = ({ credentialId, person, project, app }: Principal, hash: string): string[] => [
  tagOf.credential(credentialId),
  tagOf.token(hash),
  ...(person ? [tagOf.person(person.id)] : []),
  ...(person?.adminId ? [tagOf.person(person.adminId)] : []),
  ...(project ? [tagOf.project(project.id), tagOf.tenant(project.tenantId)] : []),
  ...(app ? [tagOf.app(app.id)] : []),
]

/** Principal of a credential and the time at which the credential expires. */
interface CredentialMatch {
  readonly principal: Principal
  /** Milliseconds since the epoch. */
  readonly expires: number
}

async function findByPrefix(sql: Sql, credential: string, hash: string): Promise<CredentialMatch | null> {
  if (credential.startsWith('st_')) return findSession(sql, hash)
  if (credential.startsWith('at_')) return findAppToken(sql, credential, hash)
  return credential.startsWith('sk_') ? findApiKey(sql, hash) : null
}

async function findSession(sql: Sql, hash: string): Promise<CredentialMatch | null> {
  const row = await findSessionByHash(sql, hash)
  if (!row) return null
  const { id, userId, isAdmin, adminId, expiresAt } = row
  const person = { id: userId, isAdmin, ...(adminId !== null && { adminId }) }
  const principal = { credentialId: id, person, project: null, scopes: null, personId: userId }
  return { principal, expires: Date.parse(expiresAt) }
}

async function findApiKey(sql: Sql, hash: string): Promise<CredentialMatch | null> {
  const row = await findApiKeyByHash(sql, hash)
  if (!row) return null
  const { id, projectId, tenantId, perMinute, scopes, products, createdBy, expiresAt } = row
  const project = { id: projectId, tenantId, products, requestsPerMinute: perMinute }
  const principal = { credentialId: id, person: null, project, scopes, personId: createdBy }
  return { principal, expires: expiresAt ? Date.parse(expiresAt) : Number.POSITIVE_INFINITY }
}

/** Finds the principal of an access token. A token never has the rights of a platform administrator. */
async function findAppToken(sql: Sql, credential: string, hash: string): Promise<CredentialMatch | null> {
  const week = weekOfToken(credential)
  const row = week === null ? undefined : await findAppTokenByHash(sql, week, hash)
  if (!row) return null
  const { grantId, appId, userId, scopes, thumbprint, dpopNonces, expiresAt, projectId, tenantId, products, perMinute } = row
  const project =
    projectId !== null && tenantId !== null && products !== null
      ? { id: projectId, tenantId, products, requestsPerMinute: perMinute }
      : null
  const person = { id: userId, isAdmin: false }
  const app = { id: appId, keyThumbprint: thumbprint, needsDpopNonce: dpopNonces }
  const principal = { credentialId: grantId, person, project, scopes, personId: userId, app }
  return { principal, expires: Date.parse(expiresAt) }
}
