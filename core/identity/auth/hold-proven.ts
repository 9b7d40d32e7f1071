import type { Tx } from '../../data/sql.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { lockUser, type UserRow } from './auth.queries.ts'

/**
 * Holds a person whose password was right before the transaction began. Throws `invalid_credentials` where another password or address came
 * meanwhile, or he is gone: whoever did that ended all that the old password opens.
 */
export async function holdProven(tx: Tx, { id, email, passwordHash }: UserRow): Promise<void> {
  const user = await lockUser(tx, id)
  if (user?.passwordHash !== passwordHash || user.email !== email)
    throw new ApiError('invalid_credentials', 'The account was changed at this moment. Try again with what it has now.')
}
