import type { Context } from '../../../context.ts'
import { type Queryable, type Sql, type Tx, transaction } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import { readList } from '../../../http/resource/list.ts'
import { newToken } from '../../../lib/crypto/crypto.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { newId } from '../../../lib/ids.ts'
import { confirmEmailAddress, evictEndedSessions } from '../account.ts'
import { authErrors } from '../auth.errors.ts'
import type { User } from '../auth.model.ts'
import { deleteSessions, findUserByEmail, insertUser, lockUser, type UserRow, updateUser } from '../auth.queries.ts'
import '../user-deletion.ts'
import { hashNewPassword } from '../passwords/new-password.ts'
import { deleteFactor } from '../second-factor/second-factor.queries.ts'
import { presentUser } from '../sign-in/sign-in.ts'
import { notifyAddressChanged } from '../sign-in/sign-in-alerts.ts'
import { type NewUser, type UserPatch, userList } from './users.model.ts'
import { anonymizeUser, countNewUsersByDay, findUserEmails, listUsers, lockAndCountAdmins, setAdmin } from './users.queries.ts'

/** Lists a page of users; only platform administrators when `only.isAdmin` is set. */
export const listUserPage = (sql: Sql, query: Record<string, unknown>, only: { isAdmin?: true } = {}) =>
  readList(sql, userList, { ...query, ...only }, (reader, asked) => listUsers(reader, asked))

/**
 * Hashes the password of a new user. Without one it hashes a random text, and the user chooses a password through a mail. Throws
 * `password_too_common`.
 */
export const hashInitialPassword = ({ password, email }: NewUser): Promise<string> => hashNewPassword(password ?? newToken('pw'), email)

/**
 * Creates a user with an unconfirmed address. `isMade`: somebody else creates the account, and a mail tells the user how to sign in. Throws
 * `email_taken`.
 */
export async function createUser(
  tx: Tx,
  { name, email }: NewUser,
  passwordHash: string,
  { isMade = false }: { readonly isMade?: boolean } = {},
): Promise<User> {
  const user = await insertUser(tx, { id: newId('usr'), name, email, passwordHash, language: null })
  if (!user) throw authErrors.emailTaken()
  await publish(tx, 'user.email_changed', { userId: user.id, email, isMade })
  return presentUser(user)
}

/** Creates a user whose address is confirmed, because the invitation was mailed to it. Throws `email_taken`, `password_too_common`. */
export async function createInvitedUser(
  { sql }: Pick<Context, 'sql'>,
  { name, email, password }: { readonly name: string; readonly email: string; readonly password: string },
): Promise<User> {
  const passwordHash = await hashNewPassword(password, email)
  return transaction(sql, async (tx) => {
    const user = await createUser(tx, { name, email }, passwordHash)
    await confirmEmailAddress(tx, user.id, email)
    return { ...user, emailVerified: true }
  })
}

/**
 * Changes the name or e-mail address of a user. A new address must be confirmed again, and a mail informs the previous one. Throws
 * `email_taken`.
 */
export async function changeUserAsAdmin(tx: Tx, context: Pick<Context, 'mail'>, id: string, { name, email }: UserPatch): Promise<User> {
  const user = await requireLocked(tx, id)
  const isMoved = email !== undefined && email.toLowerCase() !== user.email.toLowerCase()
  if (isMoved) {
    if (await findUserByEmail(tx, email)) throw authErrors.emailTaken()
    await publish(tx, 'user.email_changed', { userId: id, email, isMade: false })
    await notifyAddressChanged(tx, context, user, email)
  }
  return presentUser(
    await updateUser(tx, id, {
      ...(name !== undefined && { name }),
      ...(email !== undefined && { email }),
      ...(isMoved && { emailVerified: false }),
    }),
  )
}

/**
 * Makes a user a platform administrator, or removes that role. Throws `unknown_person` when their address is not confirmed, because anybody
 * could have typed it. Throws `last_admin` rather than leave none.
 */
export async function setPlatformAdmin(tx: Tx, id: string, { isAdmin }: { readonly isAdmin: boolean }): Promise<User> {
  const admins = await lockAndCountAdmins(tx)
  const user = await requireLocked(tx, id)
  if (!isAdmin && !user.isAdmin) throw notFound('An administrator with this id')
  if (!isAdmin) assertOthers(admins)
  if (isAdmin && !user.emailVerified) {
    const issues = [{ field: ['email'], message: 'This address has not been confirmed.' }]
    throw authErrors.emailUnconfirmed({
      issues,
    })
  }
  await setAdmin(tx, id, { isAdmin })
  return { ...presentUser(user), isAdmin }
}

/**
 * Anonymizes a user and ends all their sessions. `work` runs in the same transaction. Throws `person_owns_things`, `last_admin` and what
 * subscribers of `user.deleted` throw.
 */
export async function deleteUser(context: Context, id: string, work: (tx: Tx) => Promise<void>): Promise<void> {
  const ended = await transaction(context.sql, async (tx) => {
    const admins = await lockAndCountAdmins(tx)
    const user = await requireLocked(tx, id)
    if (user.isAdmin) assertOthers(admins)
    await publish(tx, 'user.deleted', { userId: id })
    await deleteFactor(tx, id)
    await anonymizeUser(tx, id, 'Deleted person')
    await work(tx)
    return deleteSessions(tx, id, null)
  })
  await evictEndedSessions(context, ended)
}

/** Finds users by id, with their e-mail addresses. Unknown and deleted users are left out. */
export const findUsers = (sql: Queryable, ids: readonly string[]) => findUserEmails(sql, ids)

/** Counts sign-ups by UTC day. Days without any are left out. */
export const countSignUps = (sql: Queryable, from: Date, to: Date) => countNewUsersByDay(sql, from, to)

function assertOthers(admins: number) {
  if (admins <= 1) throw authErrors.lastAdmin()
}

async function requireLocked(tx: Tx, id: string): Promise<UserRow> {
  const user = await lockUser(tx, id)
  if (!user) throw notFound('The person')
  return user
}
