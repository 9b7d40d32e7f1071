import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import type { Principal } from '../../http/auth/principal.ts'
import { lockSession } from '../auth/account.ts'
import { authErrors } from '../auth/auth.errors.ts'
import type { User } from '../auth/auth.model.ts'
import type { ClientOrigin } from '../auth/sign-in/create-session.ts'
import { findSessionByToken, type OwnSession, signOut, signOutCaller } from '../auth/sign-in/sign-in.ts'
import { loginAs } from './administer-users.ts'
import { userErrors } from './users.errors.ts'
import type { LoginAs } from './users.model.ts'

/** Session in the name of a user, and the administrator's own session that goes on meanwhile. */
export interface ActingSession {
  readonly user: User
  readonly token: string
  readonly expiresAt: string
  readonly own: OwnSession
}

/**
 * Opens a session in the name of a user, beside the administrator's own one. The caller has checked the role. Throws `invalid_token` when
 * the own session has ended meanwhile, so that none outlives a sign-out, and the errors of {@link loginAs}.
 */
export async function actAsUser(context: Context, ownToken: string, input: LoginAs, client: ClientOrigin): Promise<ActingSession> {
  const own = await findSessionByToken(context, ownToken)
  if (!own) throw authErrors.sessionEnded()
  const opened = await transaction(context.sql, async (tx) => {
    await lockSession(tx, own)
    return loginAs(context, tx, own.userId, input, client)
  })
  return { ...opened, own }
}

/**
 * Ends the session in which an administrator acts as a user. `caller` is null when it is over already. Returns the own session of the
 * kept token, `ended` when that one is over too, and `unchanged` when the caller acts as nobody. Throws `forbidden`, and ends nothing, when
 * the kept token belongs to somebody else than the administrator of the caller.
 */
export async function stopActing(
  context: Context,
  caller: Principal | null,
  keptToken: string | null,
): Promise<OwnSession | 'ended' | 'unchanged'> {
  const adminId = caller?.person?.adminId
  const isDirect = caller !== null && adminId === undefined
  if (isDirect && keptToken === null) return 'unchanged'
  const own = keptToken === null ? null : await findSessionByToken(context, keptToken)
  if (isDirect || (own && adminId !== undefined && own.userId !== adminId)) throw userErrors.actingSessionMismatch()
  await signOutCaller(context, caller)
  return own ?? 'ended'
}

/** Signs out the caller, and the administrator whose session was kept while they acted as the caller. */
export async function signOutBoth(context: Context, caller: Principal | null, keptToken: string | null): Promise<void> {
  await signOutCaller(context, caller)
  const own = keptToken === null ? null : await findSessionByToken(context, keptToken)
  if (own) await signOut(context, own.userId, own.id)
}
