import type { Context } from '../../context.ts'
import type { Queryable, Tx } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import { authErrors } from './auth.errors.ts'
import type { User } from './auth.model.ts'
import { deleteSessions, findUser, findUserByEmail, lockUser, tryLockSessionRow, updateUser } from './auth.queries.ts'
import { evictCredentials } from './credentials/authenticate.ts'
import { deleteFactor } from './second-factor/second-factor.queries.ts'
import { presentUser, type Session } from './sign-in/sign-in.ts'

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /**
     * Published when the owner of an e-mail address takes over an account whose address was never confirmed. Subscribers delete everything
     * that could sign in or act for the previous user.
     */
    'user.recovered': { userId: string }
  }
}

/** Finds a user by id, without the password hash. Returns undefined when the user is deleted or does not exist. */
export const findPublicUser = async (sql: Queryable, id: string): Promise<User | undefined> => {
  const user = await findUser(sql, id)
  return user && presentUser(user)
}

/** Locks the row of a user until the transaction ends. Returns false when the user is deleted or does not exist. */
export const tryLockUser = async (tx: Tx, userId: string): Promise<boolean> => (await lockUser(tx, userId)) !== undefined

/** Locks a user and one of their sessions until the transaction ends. Returns false when either is gone or the session has expired. */
export const tryLockSession = async (tx: Tx, { id, userId }: Session): Promise<boolean> =>
  (await tryLockUser(tx, userId)) && (await tryLockSessionRow(tx, userId, id))

/**
 * Locks a user and one of their sessions, before a sign-in method is added. Throws `invalid_token` when the session has ended meanwhile.
 */
export async function lockSession(tx: Tx, session: Session): Promise<void> {
  if (!(await tryLockSession(tx, session))) throw authErrors.sessionEnded()
}

/**
 * Marks the e-mail address of a user as confirmed. `wasConfirmed` is the state before. Returns undefined when the user now has another
 * address.
 */
export async function confirmEmailAddress(
  tx: Tx,
  userId: string,
  email: string,
): Promise<{ user: User; wasConfirmed: boolean } | undefined> {
  const user = await lockUser(tx, userId)
  if (!user || user.email.toLowerCase() !== email.toLowerCase()) return undefined
  const wasConfirmed = user.emailVerified
  return { user: presentUser(wasConfirmed ? user : await updateUser(tx, userId, { emailVerified: true })), wasConfirmed }
}

/**
 * Locks the user whose confirmed e-mail address this is. Returns undefined for an unconfirmed address, because anybody could have typed it.
 */
export async function lockUserByConfirmedEmail(tx: Tx, email: string): Promise<User | undefined> {
  const found = await findUserByEmail(tx, email)
  const user = found && (await lockUser(tx, found.id))
  return user?.emailVerified && user.email.toLowerCase() === email.toLowerCase() ? presentUser(user) : undefined
}

/** Tells if an e-mail address identifies its user: when it is confirmed, or when the server sends no mail and cannot confirm any. */
export const isEmailTrusted = ({ config }: Pick<Context, 'config'>, { emailVerified }: Pick<User, 'emailVerified'>): boolean =>
  emailVerified || config.smtpUrl === undefined

/**
 * Sets a new password and ends all sessions. Returns the token hashes of those sessions, for {@link evictEndedSessions} after the commit.
 */
export async function replacePassword(tx: Tx, userId: string, passwordHash: string): Promise<string[]> {
  await updateUser(tx, userId, { passwordHash })
  await publish(tx, 'user.password_changed', { userId })
  return deleteSessions(tx, userId, null)
}

const NO_PASSWORD = ''

/**
 * Gives an account with an unconfirmed address to the owner of that address. Removes the password, the second factor and all sessions.
 * Returns the token hashes of the sessions, for {@link evictEndedSessions} after the commit.
 */
export async function recoverAccount(tx: Tx, userId: string): Promise<string[]> {
  await publish(tx, 'user.recovered', { userId })
  await deleteFactor(tx, userId)
  return replacePassword(tx, userId, NO_PASSWORD)
}

/** Removes ended sessions from the credential caches of all processes. Call it after the commit. */
export const evictEndedSessions = ({ shared }: Pick<Context, 'shared'>, hashes: readonly string[]) => evictCredentials(shared, hashes)
