import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import { directUserOf, type Person, type Principal } from '../../../http/auth/principal.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import { HOUR_MS } from '../../../lib/durations.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { newId } from '../../../lib/ids.ts'
import { authErrors } from '../auth.errors.ts'
import type { SignIn, SignInResult, SignUp, User, UserChange } from '../auth.model.ts'
import {
  deleteSession,
  deleteSessions,
  findSessionByHash,
  findUser,
  findUserByEmail,
  insertUser,
  isFirstUser,
  lockUser,
  type UserRow,
  updateUser,
} from '../auth.queries.ts'
import { evictCredentials } from '../credentials/authenticate.ts'
import { lockUnchangedUser } from '../lock-unchanged-user.ts'
import { hashNewPassword } from '../passwords/new-password.ts'
import { checkPassword } from '../passwords/password-throttle.ts'
import { assertSecondFactor } from '../second-factor/second-factor.ts'
import { type ClientOrigin, createSession, type SessionOptions } from './create-session.ts'
import { notifyAddressChanged, notifyNewDevice, notifyPasswordChanged } from './sign-in-alerts.ts'

declare module '../../../data/subscribers.ts' {
  interface DomainEvents {
    /**
     * Published when a user gets an e-mail address that nobody has confirmed. `isMade`: somebody else created the account, and it has no
     * password.
     */
    'user.email_changed': { userId: string; email: string; isMade: boolean }
    /** Published when the password of a user changes or is removed. Subscribers cancel what the previous password could have started. */
    'user.password_changed': { userId: string }
  }
}

/** Creates an account and signs it in. Throws `signup_closed` and `email_taken`. */
export async function signUp(
  tx: Tx,
  { config }: Pick<Context, 'config'>,
  { name, email }: SignUp,
  { passwordHash, language }: Pick<UserRow, 'passwordHash' | 'language'>,
  origin: ClientOrigin,
): Promise<SignInResult> {
  // Checked before the address, so that callers who may not sign up cannot test which addresses exist.
  if (!config.openSignup && !(await isFirstUser(tx))) throw authErrors.signupClosed()
  const user = await insertUser(tx, { id: newId('usr'), name, email, passwordHash, language })
  if (!user) throw authErrors.accountExists()
  await publish(tx, 'user.email_changed', { userId: user.id, email: user.email, isMade: false })
  return { user: presentUser(user), token: await createSession(tx, user.id, origin, { means: 'password' }) }
}

/**
 * Signs in with a password and, if there is one, the second factor. Response time and error are equal for unknown accounts. Throws
 * `invalid_credentials`, `rate_limited`, `second_factor_required` and `invalid_code`.
 */
export async function signIn(context: Context, input: SignIn, origin: ClientOrigin): Promise<SignInResult> {
  const user = await findUserByEmail(context.sql, input.email)
  const isRight = await checkPassword(context, { ...input, user, address: origin.address })
  if (!user || !isRight) throw authErrors.credentialsWrong()
  await assertSecondFactor(context, user.id, input.secondFactor, origin.address)
  return transaction(context.sql, async (tx) => {
    await lockUnchangedUser(tx, user)
    return completeSignIn(tx, context, user.id, origin, { means: 'password' })
  })
}

/**
 * Creates a session for a user whose identity was verified, and mails them about a new device. Throws `invalid_credentials` when the user
 * is deleted.
 */
export async function completeSignIn(
  tx: Tx,
  context: Pick<Context, 'mail'>,
  userId: string,
  origin: ClientOrigin,
  opened: SessionOptions,
): Promise<SignInResult> {
  const user = await lockUser(tx, userId)
  if (!user) throw authErrors.accountDeleted()
  await notifyNewDevice(tx, context, user, origin)
  return { user: presentUser(user), token: await createSession(tx, user.id, origin, opened) }
}

/** Ends a session of a user. Returns false when there is no such session. */
export async function signOut({ sql, shared }: Context, userId: string, tokenId: string): Promise<boolean> {
  const hashes = await deleteSession(sql, userId, tokenId)
  await evictCredentials(shared, hashes)
  return hashes.length > 0
}

/** Ends the session of the caller. Does nothing for API keys, for apps, and without a credential. */
export async function signOutCaller(context: Context, caller: Principal | null): Promise<void> {
  const userId = caller ? directUserOf(caller) : null
  if (caller && userId !== null) await signOut(context, userId, caller.credentialId)
}

/** Ends all sessions of a user and returns their number. */
async function endAllSessions({ sql, shared }: Context, userId: string): Promise<number> {
  const hashes = await deleteSessions(sql, userId, null)
  await evictCredentials(shared, hashes)
  return hashes.length
}

/**
 * Ends all sessions of the caller, including the current one. An administrator who acts as a user ends only the current one. Returns the
 * number of ended sessions.
 */
export async function endCallerSessions(context: Context, { id, adminId }: Person, tokenId: string): Promise<number> {
  return adminId === undefined ? endAllSessions(context, id) : Number(await signOut(context, id, tokenId))
}

/** Id of a session in use, and the id of its user. */
export interface Session {
  readonly id: string
  readonly userId: string
}

/** Checks the password of a user and returns the user. Throws `invalid_credentials`, and `rate_limited` after too many wrong ones. */
export async function assertOwnPassword(context: Context, userId: string, password: string, address: string): Promise<UserRow> {
  const user = await findUser(context.sql, userId)
  if (!user) throw notFound('The account')
  if (password === '' || !(await checkPassword(context, { email: user.email, password, user, address })))
    throw authErrors.currentPasswordWrong()
  return user
}

const ADDRESSES_HOURLY = 5

/**
 * Throws `email_taken` when an address is in use. Attempts are counted first (`rate_limited`), so that a caller cannot test many addresses.
 */
async function assertEmailIsFree({ sql, shared }: Context, userId: string, email: string): Promise<void> {
  const { count, resetMs } = await shared.countHit(`address:${userId}`, HOUR_MS)
  if (count > ADDRESSES_HOURLY) {
    const wait = Math.ceil(resetMs / 1000)
    throw authErrors.tooManyEmailChanges(
      { wait },
      {
        retryAfterSeconds: wait,
      },
    )
  }
  if (await findUserByEmail(sql, email)) throw authErrors.emailOfOtherAccount()
}

/**
 * Changes the account of a user. A new e-mail address or password requires the current password; a new password ends all other sessions.
 */
export async function changeUser(context: Context, { id: tokenId, userId }: Session, change: UserChange, address: string): Promise<User> {
  const { name, email, password, language, currentPassword = '' } = change
  const user = await findUser(context.sql, userId)
  if (!user) throw notFound('The account')
  const isMoved = email !== undefined && email.toLowerCase() !== user.email.toLowerCase()
  const sensitive = password !== undefined || isMoved
  const guess = { email: user.email, password: currentPassword, user, address }
  if (sensitive && !(currentPassword !== '' && (await checkPassword(context, guess)))) {
    throw authErrors.currentPasswordRequired()
  }
  const passwordHash = password === undefined ? undefined : await hashNewPassword(password, email ?? user.email)
  if (isMoved) await assertEmailIsFree(context, userId, email)
  const { changed, ended } = await transaction(context.sql, async (tx) => {
    await lockUnchangedUser(tx, user)
    if (isMoved) {
      await publish(tx, 'user.email_changed', { userId, email, isMade: false })
      await notifyAddressChanged(tx, context, user, email)
    }
    if (passwordHash !== undefined) {
      await notifyPasswordChanged(tx, context, user)
      await publish(tx, 'user.password_changed', { userId })
    }
    const changed = await updateUser(tx, userId, {
      ...(name !== undefined && { name }),
      ...(language !== undefined && { language }),
      ...(email !== undefined && { email, ...(isMoved && { emailVerified: false }) }),
      ...(passwordHash !== undefined && { passwordHash }),
    })
    return { changed, ended: passwordHash === undefined ? [] : await deleteSessions(tx, userId, tokenId) }
  })
  await evictCredentials(context.shared, ended)
  return presentUser(changed)
}

/** Session of a user who signed in themselves, with the time in which it is valid. */
export interface OwnSession extends Session {
  readonly user: User
  readonly createdAt: string
  readonly expiresAt: string
}

/** Finds the session of a token, with its user. Returns null when the session is unknown or expired, or was opened by an administrator. */
export async function findSessionByToken({ sql }: Pick<Context, 'sql'>, token: string): Promise<OwnSession | null> {
  const session = await findSessionByHash(sql, sha256(token))
  const user = session?.adminId === null ? await findUser(sql, session.userId) : undefined
  if (!session || !user) return null
  return { id: session.id, userId: user.id, user: presentUser(user), createdAt: session.createdAt, expiresAt: session.expiresAt }
}

/** Builds the API view of a user, without the password hash. */
export function presentUser({ id, name, email, emailVerified, isAdmin, language, createdAt, updatedAt }: UserRow): User {
  return { id, name, email, emailVerified, isAdmin, language, createdAt, updatedAt }
}
