import type { Shared } from '../../data/shared.ts'
import type { Sql } from '../../data/sql.ts'
import type { Authenticate } from '../../http/auth.ts'
import type { Principal } from '../../http/principal.ts'
import { sha256 } from '../../lib/crypto.ts'
import { forgetOldest } from '../../lib/oldest.ts'
import { findApiKeyByHash, findAppTokenByHash, findSessionByHash } from './auth.queries.ts'
import { thumbprintOf } from './dpop.ts'
import { type Tags, watchRevocations } from './revocations.ts'
import { weekNamedBy } from './token-text.ts'
import type { Uses } from './uses.ts'

const CHANNEL = 'credentials'
/** What begins so names tags; all else are digests. */
const TAGGED = 'tags:'
/** Only what was found is remembered, and each change of it is heard of: this is for what nobody would have said. */
const REMEMBERED_MS = 60_000
/** Who has no project may get one any moment. */
const WITHOUT_PROJECT_MS = 500
const REMEMBERED_MAX = 20_000

interface Remembered {
  readonly principal: Principal
  readonly until: number
  /** What it ends with. */
  readonly tags: readonly string[]
}

export interface Authenticator {
  readonly authenticate: Authenticate
  stop(): Promise<void>
}

/** Tells every process at once that it may no longer remember these; they would know of it within a second anyhow. */
export const forgetCredentials = (shared: Shared, hashes: readonly string[] | 'all') =>
  shared.publish(CHANNEL, hashes === 'all' ? 'all' : hashes.join(','))

const forgetTagged = (shared: Shared, tags: readonly string[]) => shared.publish(CHANNEL, TAGGED + tags.join(','))

/** The same of all tokens of what apps were granted. */
export const forgetGrants = (shared: Shared, grantIds: readonly string[]) => forgetTagged(shared, grantIds.map(tagOf.credential))

/** The same of all that acts as a person. */
export const forgetPerson = (shared: Shared, id: string) => forgetTagged(shared, [tagOf.person(id)])

/** The same of all that acts in a project. */
export const forgetProject = (shared: Shared, id: string) => forgetTagged(shared, [tagOf.project(id)])

/** The same of all that acts in a tenant's projects. */
export const forgetTenant = (shared: Shared, id: number) => forgetTagged(shared, [tagOf.tenant(id)])

/**
 * Credentials to principals, remembered so that a request does not cost a look-up. `ear`: a connection of its own, over which every process
 * hears within a second what has changed; whoever hears nothing for so long remembers nothing.
 */
export async function openAuthenticator(sql: Sql, ear: Sql, shared: Shared, used: Uses): Promise<Authenticator> {
  const remembered = new Map<string, Remembered>()
  /** Grows with each word: what was read before one is not remembered after it. */
  let told = 0
  const forget = (hashes: readonly string[], tags: Tags) => {
    for (const hash of hashes) remembered.delete(hash)
    if (tags.size > 0) for (const [hash, known] of remembered) if (known.tags.some((tag) => tags.has(tag))) remembered.delete(hash)
  }
  const revocations = await watchRevocations(ear, (tags) => {
    told += 1
    if (tags === 'all') remembered.clear()
    else forget([], tags)
  })
  const unsubscribe = await shared.subscribe(CHANNEL, (message) => {
    told += 1
    if (message === 'all') return remembered.clear()
    if (!message.startsWith(TAGGED)) return forget(message.split(','), new Set())
    forget([], new Set(message.slice(TAGGED.length).split(',')))
  })
  const recall = (hash: string) => {
    const known = remembered.get(hash)
    return known && known.until > Date.now() && revocations.areKnown() ? known : undefined
  }
  return {
    authenticate: {
      remembers: (credential) => recall(sha256(credential)) !== undefined,
      async find(credential) {
        const hash = sha256(credential)
        const known = recall(hash) ?? (await look(credential, hash))
        if (!known) return null
        used.note(known.principal)
        return known.principal
      },
      thumbprint: (proof, request) => thumbprintOf(shared, proof, request),
    },
    async stop() {
      unsubscribe()
      await revocations.stop()
    },
  }

  async function look(credential: string, hash: string): Promise<Remembered | null> {
    const before = told
    const found = await find(sql, credential, hash)
    if (!found) return null
    const { principal, expires } = found
    const life = principal.app && !principal.project ? WITHOUT_PROJECT_MS : REMEMBERED_MS
    const known = { principal, until: Math.min(Date.now() + life, expires), tags: tagsOf(principal, hash) }
    if (told !== before) return known
    remembered.delete(hash)
    forgetOldest(remembered, REMEMBERED_MAX - 1)
    remembered.set(hash, known)
    return known
  }
}

/** As the database names them. */
const tagOf = {
  credential: (id: string) => `credential:${id}`,
  token: (digest: string) => `token:${digest}`,
  person: (id: string) => `person:${id}`,
  project: (id: string) => `project:${id}`,
  tenant: (id: number) => `tenant:${id}`,
}

const tagsOf = ({ credentialId, person, project }: Principal, hash: string): string[] => [
  tagOf.credential(credentialId),
  tagOf.token(hash),
  ...(person ? [tagOf.person(person.id)] : []),
  ...(project ? [tagOf.project(project.id), tagOf.tenant(project.tenantId)] : []),
]

interface Found {
  readonly principal: Principal
  /** Milliseconds since the epoch. */
  readonly expires: number
}

async function find(sql: Sql, credential: string, hash: string): Promise<Found | null> {
  if (credential.startsWith('st_')) return findPerson(sql, hash)
  if (credential.startsWith('at_')) return findApp(sql, credential, hash)
  return credential.startsWith('sk_') ? findKey(sql, hash) : null
}

async function findPerson(sql: Sql, hash: string): Promise<Found | null> {
  const row = await findSessionByHash(sql, hash)
  if (!row) return null
  const { id, userId, isAdmin, expiresAt } = row
  const principal = { credentialId: id, person: { id: userId, isAdmin }, project: null, scopes: null, personId: userId }
  return { principal, expires: Date.parse(expiresAt) }
}

async function findKey(sql: Sql, hash: string): Promise<Found | null> {
  const row = await findApiKeyByHash(sql, hash)
  if (!row) return null
  const { id, projectId, tenantId, perMinute, scopes, products, createdBy, expiresAt } = row
  const project = { id: projectId, tenantId, products, perMinute }
  const principal = { credentialId: id, person: null, project, scopes, personId: createdBy }
  return { principal, expires: expiresAt ? Date.parse(expiresAt) : Number.POSITIVE_INFINITY }
}

/** Nobody's app administers the platform. */
async function findApp(sql: Sql, credential: string, hash: string): Promise<Found | null> {
  const week = weekNamedBy(credential)
  const row = week === null ? undefined : await findAppTokenByHash(sql, week, hash)
  if (!row) return null
  const { grantId, appId, userId, scopes, thumbprint, expiresAt, projectId, tenantId, products, perMinute } = row
  const project = projectId !== null && tenantId !== null && products !== null ? { id: projectId, tenantId, products, perMinute } : null
  const person = { id: userId, isAdmin: false }
  const principal = { credentialId: grantId, person, project, scopes, personId: userId, app: { id: appId, boundTo: thumbprint } }
  return { principal, expires: Date.parse(expiresAt) }
}
