import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { tryLockUser } from '../auth/account.ts'
import { enqueueRevocations } from './revoke.ts'
import { socialErrors } from './social.errors.ts'
import { countSignInMethods, deleteIdentities } from './social.queries.ts'

/**
 * Removes the sign-in with a provider from a user. Throws `last_way_in` when no sign-in method would be left, also with concurrent
 * requests.
 */
export const unlinkProvider = ({ sql }: Pick<Context, 'sql'>, userId: string, provider: string): Promise<void> =>
  transaction(sql, async (tx) => {
    if (!(await tryLockUser(tx, userId))) throw notFound('The account')
    const removed = await deleteIdentities(tx, userId, provider)
    if (removed.length === 0) throw notFound('A linked sign-in of this provider')
    await assertSignInMethodLeft(tx, userId)
    await enqueueRevocations(tx, removed)
  })

/** Removes all social sign-ins of a user. */
export const unlinkAllProviders = async (tx: Tx, userId: string): Promise<void> =>
  enqueueRevocations(tx, await deleteIdentities(tx, userId))

/** Throws `last_way_in` when a locked user has no sign-in method left. */
export async function assertSignInMethodLeft(tx: Tx, userId: string): Promise<void> {
  if ((await countSignInMethods(tx, userId)) === 0) throw socialErrors.lastSignInMethod()
}
