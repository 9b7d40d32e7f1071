import type { Queryable } from '../../../data/sql.ts'
import { newToken, sha256 } from '../../../lib/crypto/crypto.ts'
import { newId } from '../../../lib/ids.ts'
import { networkOf } from '../../../lib/net/addresses.ts'
import type { SessionMethod } from '../auth.model.ts'
import { insertSession } from '../auth.queries.ts'

const SESSION_MS = 90 * 86_400_000

/** IP address and user agent of a request. */
export interface ClientOrigin {
  readonly address: string
  readonly userAgent: string
}

/** Reads the origin of a request in a route. */
export const clientOriginOf = ({ address, request }: { address: string; request: Request }): ClientOrigin => ({
  address,
  userAgent: request.headers.get('user-agent') ?? '',
})

/** Options of a new session. */
export interface SessionOptions {
  readonly means: SessionMethod
  /** Administrator who opens the session in the name of the user. */
  readonly adminId?: string
  /** Lifetime in milliseconds; 90 days by default. */
  readonly lifeMs?: number
}

/** Creates a session and returns its token, which is stored only as a hash. Sessions last 90 days unless `lifeMs` says otherwise. */
export async function createSession(
  sql: Queryable,
  userId: string,
  { address, userAgent }: ClientOrigin,
  { means, adminId, lifeMs = SESSION_MS }: SessionOptions,
): Promise<string> {
  const token = newToken('st')
  const [id, network, expiresAt] = [newId('ses'), networkOf(address), new Date(Date.now() + lifeMs)]
  const opened = {
    id,
    userId,
    tokenHash: sha256(token),
    userAgent: userAgent.slice(0, 300),
    network,
    expiresAt,
    means,
    adminId: adminId ?? null,
  }
  await insertSession(sql, opened)
  return token
}
