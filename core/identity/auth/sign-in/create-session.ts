import type { Queryable } from '../../../data/sql.ts'
import { newToken, sha256 } from '../../../lib/crypto/crypto.ts'
import { newId } from '../../../lib/ids.ts'
import { networkOf } from '../../../lib/net/addresses.ts'
import type { SessionMethod } from '../auth.model.ts'
import { insertSession } from '../auth.queries.ts'

/** Lifetime of a session in milliseconds, by whether the device belongs to the user. */
export const sessionLifeMs = { ownDevice: 90 * 86_400_000, sharedDevice: 12 * 3_600_000 } as const

/** IP address and user agent of a request. */
export interface ClientOrigin {
  readonly address: string
  readonly userAgent: string
  /** True for a device that others use too, according to the user. Its session lasts 12 hours. */
  readonly isSharedDevice?: boolean
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
  /** Lifetime in milliseconds; by default 90 days, or 12 hours on a shared device. */
  readonly lifeMs?: number
}

/**
 * Creates a session and returns its token, which is stored only as a hash. Sessions last 90 days, and 12 hours on a shared device, unless
 * `lifeMs` says otherwise.
 */
export async function createSession(
  sql: Queryable,
  userId: string,
  { address, userAgent, isSharedDevice = false }: ClientOrigin,
  { means, adminId, lifeMs = isSharedDevice ? sessionLifeMs.sharedDevice : sessionLifeMs.ownDevice }: SessionOptions,
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
