import type { Context } from '../../context.ts'
import type { Queryable, Tx } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import { ApiError } from '../../http/errors/errors.ts'
import type { User } from './auth.model.ts'
import { deleteSessions, findUser, findUserByEmail, holdSessionRow, lockUser, updateUser } from './auth.queries.ts'
import { forgetCredentials } from './credentials/authenticate.ts'
import { deleteFactor } from './second-factor/second-factor.queries.ts'
import { publicUser, type Session } from './sign-in/sign-in.ts'

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** Who reads the mail of an address took over an account with it that nobody had confirmed: whoever made that comes in no more. */
    'person.recovered': { userId: string }
  }
}

/** Whom an id is of; undefined where he is gone. */
export const findPerson = async (sql: Queryable, id: string): Promise<User | undefined> => {
  const user = await findUser(sql, id)
  return user && publicUser(user)
}

/** Whether the person is there; who else changes what is his waits for the caller's transaction. */
export const holdPerson = async (tx: Tx, userId: string): Promise<boolean> => (await lockUser(tx, userId)) !== undefined

/** Whether a session works still, of a person who is there: he is held, and so is it. */
export const holdsSession = async (tx: Tx, { id, userId }: Session): Promise<boolean> =>
  (await holdPerson(tx, userId)) && (await holdSessionRow(tx, userId, id))

/**
 * The same for what opens the account from now on. Throws `invalid_token` where the session ended meanwhile, as all of them do when somebody
 * takes his account back.
 */
export async function holdSession(tx: Tx, session: Session): Promise<void> {
  if (!(await holdsSession(tx, session))) throw sessionOver()
}

export const sessionOver = () => new ApiError('invalid_token', 'This session is over. Sign in again.')

/** Who has shown that he reads his mail has a confirmed address; undefined where it is another by now. `wasConfirmed`: whether it was before. */
export async function confirmAddress(tx: Tx, userId: string, email: string): Promise<{ user: User; wasConfirmed: boolean } | undefined> {
  const user = await lockUser(tx, userId)
  if (!user || user.email.toLowerCase() !== email.toLowerCase()) return undefined
  const wasConfirmed = user.emailVerified
  return { user: publicUser(wasConfirmed ? user : await updateUser(tx, userId, { emailVerified: true })), wasConfirmed }
}

/** Whose confirmed address it is, until the transaction ends. Until it is confirmed an account may be of somebody who only typed the address. */
export async function holdConfirmed(tx: Tx, email: string): Promise<User | undefined> {
  const found = await findUserByEmail(tx, email)
  const user = found && (await lockUser(tx, found.id))
  return user?.emailVerified && user.email.toLowerCase() === email.toLowerCase() ? publicUser(user) : undefined
}

/**
 * Whether who has an account with an address may be taken for who reads its mail. Where no mail goes out nobody could confirm one: there it is
 * believed as it was typed.
 */
export const isBelieved = ({ config }: Pick<Context, 'config'>, { emailVerified }: Pick<User, 'emailVerified'>): boolean =>
  emailVerified || config.smtpUrl === undefined

/** Another password, and no session of before: gives the hashes of those, for `forgetEnded` after the commit. */
export async function replacePassword(tx: Tx, userId: string, passwordHash: string): Promise<string[]> {
  await updateUser(tx, userId, { passwordHash })
  await publish(tx, 'person.passwordNew', { userId })
  return deleteSessions(tx, userId, null)
}

const NO_PASSWORD = ''

/**
 * Whoever reads the mail of an address takes over an account with it that nobody had confirmed: the password, the second factor and the
 * sessions of who only typed the address are none any more. Gives the hashes of those sessions, for `forgetEnded` after the commit.
 */
export async function takeOver(tx: Tx, userId: string): Promise<string[]> {
  await publish(tx, 'person.recovered', { userId })
  await deleteFactor(tx, userId)
  return replacePassword(tx, userId, NO_PASSWORD)
}

export const forgetEnded = ({ shared }: Pick<Context, 'shared'>, hashes: readonly string[]) => forgetCredentials(shared, hashes)
