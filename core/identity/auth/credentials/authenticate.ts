import type { Shared } from '../../../data/shared/shared.ts'
import type { Sql } from '../../../data/sql.ts'
import type { Authenticate } from '../../../http/auth/auth.ts'
import type { Principal } from '../../../http/auth/principal.ts'
import { sha256, type Vault } from '../../../lib/crypto/crypto.ts'
import { findApiKeyByHash, findAppTokenByHash, findSessionByHash } from '../auth.queries.ts'
import { type Found, forgetKeys, forgetTagged, type Memories, openMemories } from './credential-cache.ts'
import { verifyProof } from './dpop.ts'
import { dpopNonces } from './dpop-nonces.ts'
import type { Uses } from './last-used.ts'
import { weekNamedBy } from './token-text.ts'

/** Who has no project may get one any moment. */
const WITHOUT_PROJECT_MS = 500

export interface Authenticator {
  readonly authenticate: Authenticate
  /** For others whose changes the database tells of likewise. */
  readonly memories: Pick<Memories, 'open'>
  stop(): Promise<void>
}

/** Tells every process at once that it may no longer remember these; they would know of it within a second anyhow. */
export const forgetCredentials = (shared: Shared, hashes: readonly string[]) => forgetKeys(shared, hashes)

/** The same of all tokens of what apps were granted. */
export const forgetGrants = (shared: Shared, grantIds: readonly string[]) => forgetTagged(shared, grantIds.map(tagOf.credential))

/** The same of an app: as it says who it is, and all its tokens. */
export const forgetApp = (shared: Shared, id: string) => forgetTagged(shared, [tagOf.app(id)])

/** The same of all that acts as a person. */
export const forgetPerson = (shared: Shared, id: string) => forgetTagged(shared, [tagOf.person(id)])

/** The same of all that acts in a project. */
export const forgetProject = (shared: Shared, id: string) => forgetTagged(shared, [tagOf.project(id)])

/** The same of all that acts in a tenant's projects. */
export const forgetTenant = (shared: Shared, id: number) => forgetTagged(shared, [tagOf.tenant(id)])

/** Credentials to principals, which are remembered. `ear`: a connection of its own. */
export async function openAuthenticator(sql: Sql, ear: Sql, shared: Shared, vault: Vault, used: Uses): Promise<Authenticator> {
  const memories = await openMemories(ear, shared)
  const principals = memories.open<Principal>()
  return {
    authenticate: {
      remembers: (credential) => principals.recall(sha256(credential)) !== undefined,
      async find(credential) {
        const hash = sha256(credential)
        const principal = await principals.find(hash, () => look(sql, credential, hash))
        if (principal) used.note(principal)
        return principal
      },
      thumbprint: (proof, request) => verifyProof(shared, proof, request),
      nonces: dpopNonces(vault),
    },
    memories,
    stop: memories.stop,
  }
}

async function look(sql: Sql, credential: string, hash: string): Promise<Found<Principal> | null> {
  const known = await find(sql, credential, hash)
  if (!known) return null
  const { principal, expires } = known
  // The clock tells whole milliseconds, and may be almost one further.
  const left = expires - Date.now() - 1
  const lifeMs = principal.app && !principal.project ? Math.min(WITHOUT_PROJECT_MS, left) : left
  return { value: principal, tags: tagsOf(principal, hash), lifeMs }
}

/** As the database names them. */
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

interface Known {
  readonly principal: Principal
  /** Milliseconds since the epoch. */
  readonly expires: number
}

async function find(sql: Sql, credential: string, hash: string): Promise<Known | null> {
  if (credential.startsWith('st_')) return findPerson(sql, hash)
  if (credential.startsWith('at_')) return findApp(sql, credential, hash)
  return credential.startsWith('sk_') ? findKey(sql, hash) : null
}

async function findPerson(sql: Sql, hash: string): Promise<Known | null> {
  const row = await findSessionByHash(sql, hash)
  if (!row) return null
  const { id, userId, isAdmin, adminId, expiresAt } = row
  const person = { id: userId, isAdmin, ...(adminId !== null && { adminId }) }
  const principal = { credentialId: id, person, project: null, scopes: null, personId: userId }
  return { principal, expires: Date.parse(expiresAt) }
}

async function findKey(sql: Sql, hash: string): Promise<Known | null> {
  const row = await findApiKeyByHash(sql, hash)
  if (!row) return null
  const { id, projectId, tenantId, perMinute, scopes, products, createdBy, expiresAt } = row
  const project = { id: projectId, tenantId, products, perMinute }
  const principal = { credentialId: id, person: null, project, scopes, personId: createdBy }
  return { principal, expires: expiresAt ? Date.parse(expiresAt) : Number.POSITIVE_INFINITY }
}

/** Nobody's app administers the platform. */
async function findApp(sql: Sql, credential: string, hash: string): Promise<Known | null> {
  const week = weekNamedBy(credential)
  const row = week === null ? undefined : await findAppTokenByHash(sql, week, hash)
  if (!row) return null
  const { grantId, appId, userId, scopes, thumbprint, dpopNonces, expiresAt, projectId, tenantId, products, perMinute } = row
  const project = projectId !== null && tenantId !== null && products !== null ? { id: projectId, tenantId, products, perMinute } : null
  const person = { id: userId, isAdmin: false }
  const app = { id: appId, boundTo: thumbprint, dpopNonces }
  const principal = { credentialId: grantId, person, project, scopes, personId: userId, app }
  return { principal, expires: Date.parse(expiresAt) }
}
