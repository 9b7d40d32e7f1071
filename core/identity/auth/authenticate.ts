import type { Shared } from '../../data/shared.ts'
import type { Sql } from '../../data/sql.ts'
import type { Authenticate } from '../../http/auth.ts'
import type { Principal } from '../../http/principal.ts'
import { sha256 } from '../../lib/crypto.ts'
import { forgetOldest } from '../../lib/oldest.ts'
import { findApiKeyByHash, findAppTokenByHash, findSessionByHash, touchSessions } from './auth.queries.ts'
import { thumbprintOf } from './dpop.ts'
import { weekNamedBy } from './token-text.ts'

const CHANNEL = 'credentials'
const OF_GRANTS = 'grants:'
/** How long a revocation may take to reach a process that missed its message. */
const REMEMBERED_MS = 1_000
const REMEMBERED_MAX = 20_000
const TOUCH_MS = 30_000

interface Remembered {
  readonly principal: Principal
  readonly until: number
}

export interface Authenticator {
  readonly authenticate: Authenticate
  stop(): Promise<void>
}

/** Tells every process that what it remembers of credentials is no longer true. */
export const forgetCredentials = (shared: Shared, hashes: readonly string[] | 'all') =>
  shared.publish(CHANNEL, hashes === 'all' ? 'all' : hashes.join(','))

/** The same of all tokens of what apps were granted. */
export const forgetGrants = (shared: Shared, grantIds: readonly string[]) => shared.publish(CHANNEL, OF_GRANTS + grantIds.join(','))

/** Credentials to principals, remembered for a moment so that a read does not cost a second query. */
export async function openAuthenticator(sql: Sql, shared: Shared): Promise<Authenticator> {
  const remembered = new Map<string, Remembered>()
  const used = new Set<string>()
  /** Grows with each message: what was read before one is not remembered after it. */
  let told = 0
  const unsubscribe = await shared.subscribe(CHANNEL, (message) => {
    told += 1
    if (message === 'all') return remembered.clear()
    if (message.startsWith(OF_GRANTS)) return forget(remembered, new Set(message.slice(OF_GRANTS.length).split(',')))
    for (const hash of message.split(',')) remembered.delete(hash)
  })
  const recall = (hash: string) => {
    const known = remembered.get(hash)
    return known && known.until > Date.now() ? known.principal : undefined
  }
  const touch = async () => {
    const ids = [...used]
    used.clear()
    if (ids.length > 0) await touchSessions(sql, ids)
  }
  const timer = setInterval(() => void touch().catch(() => {}), TOUCH_MS)
  timer.unref()
  return {
    authenticate: {
      remembers: (credential) => recall(sha256(credential)) !== undefined,
      async find(credential) {
        const hash = sha256(credential)
        const known = recall(hash)
        if (known) return known
        const before = told
        const found = await find(sql, credential, hash)
        if (!found) return null
        if (found.principal.scopes === null) used.add(found.principal.credentialId)
        if (told !== before) return found.principal
        forgetOldest(remembered, REMEMBERED_MAX - 1)
        remembered.set(hash, { principal: found.principal, until: Math.min(Date.now() + REMEMBERED_MS, found.expires) })
        return found.principal
      },
      thumbprint: (proof, request) => thumbprintOf(shared, proof, request),
    },
    async stop() {
      clearInterval(timer)
      unsubscribe()
      await touch().catch(() => {})
    },
  }
}

function forget(remembered: Map<string, Remembered>, grantIds: ReadonlySet<string>) {
  for (const [hash, { principal }] of remembered) if (grantIds.has(principal.credentialId)) remembered.delete(hash)
}

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
  const { id, projectId, tenantId, scopes, products, createdBy, expiresAt } = row
  const principal = { credentialId: id, person: null, project: { id: projectId, tenantId, products }, scopes, personId: createdBy }
  return { principal, expires: expiresAt ? Date.parse(expiresAt) : Number.POSITIVE_INFINITY }
}

/** Nobody's app administers the platform. */
async function findApp(sql: Sql, credential: string, hash: string): Promise<Found | null> {
  const week = weekNamedBy(credential)
  const row = week === null ? undefined : await findAppTokenByHash(sql, week, hash)
  if (!row) return null
  const { grantId, appId, userId, scopes, thumbprint, expiresAt, projectId, tenantId, products } = row
  const project = projectId !== null && tenantId !== null && products !== null ? { id: projectId, tenantId, products } : null
  const person = { id: userId, isAdmin: false }
  const principal = { credentialId: grantId, person, project, scopes, personId: userId, app: { id: appId, boundTo: thumbprint } }
  return { principal, expires: Date.parse(expiresAt) }
}
