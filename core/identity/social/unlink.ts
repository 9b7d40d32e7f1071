import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors/errors.ts'
import { holdPerson } from '../auth/account.ts'
import { giveUp } from './revoke.ts'
import { countWays, deleteIdentities } from './social.queries.ts'

/**
 * Removes the sign-in with a provider from a user. Throws `last_way_in` when no sign-in method would be left, also with concurrent
 * requests.
 */
export const unlink = ({ sql }: Pick<Context, 'sql'>, userId: string, provider: string): Promise<void> =>
  transaction(sql, async (tx) => {
    if (!(await holdPerson(tx, userId))) throw notFound('The account')
    const removed = await deleteIdentities(tx, userId, provider)
    if (removed.length === 0) throw notFound('A linked sign-in of this provider')
    await assertWayIn(tx, userId)
    await giveUp(tx, removed)
  })

/** Removes all social sign-ins of a user. */
export const unlinkAll = async (tx: Tx, userId: string): Promise<void> => giveUp(tx, await deleteIdentities(tx, userId))

/** Throws `last_way_in` when a locked user has no sign-in method left. */
export async function assertWayIn(tx: Tx, userId: string): Promise<void> {
  if ((await countWays(tx, userId)) === 0)
    throw new ApiError('last_way_in', 'This is your last sign-in method. Choose a password, add a passkey or link another sign-in first.')
}
