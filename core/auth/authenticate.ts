import type { Shared } from '../data/shared.ts'
import type { Sql } from '../data/sql.ts'
import type { Authenticate, Caller } from '../http/auth.ts'
import { sha256 } from '../lib/crypto.ts'
import { findApiKeyByHash, findSessionByHash, touchSessions } from './auth.queries.ts'

const CHANNEL = 'credentials'
/** How long a revocation may take to reach a process that missed its message. */
const REMEMBERED_MS = 10_000
const REMEMBERED_MAX = 20_000
const TOUCH_MS = 30_000

interface Remembered {
  readonly caller: Caller
  readonly until: number
}

export interface Authenticator {
  readonly authenticate: Authenticate
  stop(): Promise<void>
}

/** Tells every process that what it remembers of credentials is no longer true. */
export const forgetCredentials = (shared: Shared, hashes: readonly string[] | 'all') =>
  shared.publish(CHANNEL, hashes === 'all' ? 'all' : hashes.join(','))

/** Credentials to callers, remembered for a moment so that a read does not cost a second query. */
export async function openAuthenticator(sql: Sql, shared: Shared): Promise<Authenticator> {
  const remembered = new Map<string, Remembered>()
  const used = new Set<string>()
  const unsubscribe = await shared.subscribe(CHANNEL, (message) => {
    if (message === 'all') return remembered.clear()
    for (const hash of message.split(',')) remembered.delete(hash)
  })
  const touch = async () => {
    const ids = [...used]
    used.clear()
    if (ids.length > 0) await touchSessions(sql, ids)
  }
  const timer = setInterval(() => void touch().catch(() => {}), TOUCH_MS)
  timer.unref()
  return {
    async authenticate(credential) {
      const hash = sha256(credential)
      const known = remembered.get(hash)
      if (known && known.until > Date.now()) return known.caller
      const found = await find(sql, credential, hash)
      if (!found) return null
      if (remembered.size >= REMEMBERED_MAX) remembered.delete(remembered.keys().next().value!)
      remembered.set(hash, { caller: found.caller, until: Math.min(Date.now() + REMEMBERED_MS, found.expires) })
      if (found.caller.kind === 'user') used.add(found.caller.tokenId)
      return found.caller
    },
    async stop() {
      clearInterval(timer)
      unsubscribe()
      await touch().catch(() => {})
    },
  }
}

async function find(sql: Sql, credential: string, hash: string): Promise<{ caller: Caller; expires: number } | null> {
  if (credential.startsWith('st_')) {
    const row = await findSessionByHash(sql, hash)
    return row
      ? { caller: { kind: 'user', userId: row.userId, isAdmin: row.isAdmin, tokenId: row.id }, expires: Date.parse(row.expiresAt) }
      : null
  }
  if (!credential.startsWith('sk_')) return null
  const row = await findApiKeyByHash(sql, hash)
  if (!row) return null
  const { projectId, tenantId, scopes, products, id } = row
  return {
    caller: { kind: 'project', projectId, tenantId, keyId: id, scopes, products },
    expires: row.expiresAt ? Date.parse(row.expiresAt) : Number.POSITIVE_INFINITY,
  }
}
