import type { Tx } from '../../data/sql.ts'
import { authErrors } from './auth.errors.ts'
import { lockUser, type UserRow } from './auth.queries.ts'

/**
 * Locks a user whose password was verified before the transaction began. Throws `invalid_credentials` when the password or the address
 * changed since, or the user is deleted.
 */
export async function lockUnchangedUser(tx: Tx, { id, email, passwordHash }: UserRow): Promise<void> {
  const user = await lockUser(tx, id)
  if (user?.passwordHash !== passwordHash || user.email !== email) throw authErrors.accountChanged()
}
