import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors/errors.ts'
import { holdPerson } from '../auth/account.ts'
import { giveUp } from './revoke.ts'
import { countWays, deleteIdentities } from './social.queries.ts'

/** Takes a sign-in away from a person. Throws `last_way_in` where nothing else would let him in; of two at once one may be that. */
export const unlink = ({ sql }: Pick<Context, 'sql'>, userId: string, provider: string): Promise<void> =>
  transaction(sql, async (tx) => {
    if (!(await holdPerson(tx, userId))) throw notFound('The account')
    const removed = await deleteIdentities(tx, userId, provider)
    if (removed.length === 0) throw notFound('A linked sign-in of this provider')
    await assertWayIn(tx, userId)
    await giveUp(tx, removed)
  })

/** Takes all of them away: nobody comes in by them any more. */
export const unlinkAll = async (tx: Tx, userId: string): Promise<void> => giveUp(tx, await deleteIdentities(tx, userId))

/** Of a person who is held. Throws `last_way_in` where nothing would let him in any more. */
export async function assertWayIn(tx: Tx, userId: string): Promise<void> {
  if ((await countWays(tx, userId)) === 0)
    throw new ApiError('last_way_in', 'Nothing else would let you in. Choose a password, add a passkey or link another sign-in first.')
}
