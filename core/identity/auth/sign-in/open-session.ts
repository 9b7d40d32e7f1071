import type { Queryable } from '../../../data/sql.ts'
import { newToken, sha256 } from '../../../lib/crypto/crypto.ts'
import { newId } from '../../../lib/ids.ts'
import { networkOf } from '../../../lib/net/addresses.ts'
import type { Means } from '../auth.model.ts'
import { insertSession } from '../auth.queries.ts'

const SESSION_MS = 90 * 86_400_000

/** Where a request comes from, and what program sent it. */
export interface Origin {
  readonly address: string
  readonly userAgent: string
}

/** The same of a request as routes have it. */
export const originOf = ({ address, request }: { address: string; request: Request }): Origin => ({
  address,
  userAgent: request.headers.get('user-agent') ?? '',
})

/** How somebody came in. `adminId`: the administrator who did so in the person's name. */
export interface Opened {
  readonly means: Means
  readonly adminId?: string
  readonly lifeMs?: number
}

/** Gives the token of a new session, which is kept nowhere. */
export async function openSession(
  sql: Queryable,
  userId: string,
  { address, userAgent }: Origin,
  { means, adminId, lifeMs = SESSION_MS }: Opened,
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
