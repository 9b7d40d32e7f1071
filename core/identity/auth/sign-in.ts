import type { Context } from '../../context.ts'
import type { Queryable, Tx } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { networkOf } from '../../lib/addresses.ts'
import { hashPassword, newToken, sha256 } from '../../lib/crypto.ts'
import { newId } from '../../lib/ids.ts'
import type { SignedIn, SignIn, SignUp, User, UserChange } from './auth.model.ts'
import {
  deleteSession,
  deleteSessions,
  findSessionByHash,
  findUser,
  findUserByEmail,
  insertSession,
  insertUser,
  type UserRow,
  updateUser,
} from './auth.queries.ts'
import { forgetCredentials } from './authenticate.ts'
import { passwordIsRight } from './guesses.ts'

const SESSION_DAYS = 90

/** Where a request comes from, and what program sent it. */
export interface Origin {
  readonly address: string
  readonly userAgent: string
}

/** Makes the account and signs it in. */
export async function signUp(tx: Tx, { config }: Context, input: SignUp, passwordHash: string, origin: Origin): Promise<SignedIn> {
  const user = await insertUser(tx, { id: newId('usr'), name: input.name, email: input.email, passwordHash })
  if (!user) throw new ApiError('email_taken', 'There is an account with this e-mail address. Sign in instead.')
  if (!config.openSignup && !user.isAdmin)
    throw new ApiError('signup_closed', 'Signing up is closed here. Ask an administrator for an account.')
  return { user: publicUser(user), token: await openSession(tx, user.id, origin) }
}

/** Answers in the same time and words whether or not the account exists. */
export async function signIn(context: Context, input: SignIn, origin: Origin): Promise<SignedIn> {
  const user = await findUserByEmail(context.sql, input.email)
  const isRight = await passwordIsRight(context, { ...input, user, address: origin.address })
  if (!user || !isRight) throw new ApiError('invalid_credentials', 'The e-mail address or the password is wrong.')
  return { user: publicUser(user), token: await openSession(context.sql, user.id, origin) }
}

export async function signOut({ sql, shared }: Context, userId: string, tokenId: string): Promise<boolean> {
  const hashes = await deleteSession(sql, userId, tokenId)
  await forgetCredentials(shared, hashes)
  return hashes.length > 0
}

/** Ends all sessions of a person but, if given, the one in use. */
export async function signOutEverywhere({ sql, shared }: Context, userId: string, except: string | null): Promise<number> {
  const hashes = await deleteSessions(sql, userId, except)
  await forgetCredentials(shared, hashes)
  return hashes.length
}

/** A session that is in use, and whose it is. */
export interface Session {
  readonly id: string
  readonly userId: string
}

/** A new e-mail address or password needs the current one, and a new password ends all other sessions. */
export async function changeUser(context: Context, { id: tokenId, userId }: Session, change: UserChange, address: string): Promise<User> {
  const { name, email, password, currentPassword = '' } = change
  const user = await findUser(context.sql, userId)
  if (!user) throw notFound('The account')
  const sensitive = password !== undefined || (email !== undefined && email.toLowerCase() !== user.email.toLowerCase())
  const guess = { email: user.email, password: currentPassword, user, address }
  if (sensitive && !(currentPassword !== '' && (await passwordIsRight(context, guess)))) {
    throw new ApiError('invalid_credentials', 'currentPassword is required and must be right to change the e-mail address or the password.')
  }
  if (email !== undefined) {
    const holder = await findUserByEmail(context.sql, email)
    if (holder && holder.id !== userId) throw new ApiError('email_taken', 'There is another account with this e-mail address.')
  }
  const passwordHash = password === undefined ? undefined : await hashPassword(password)
  const changed = await updateUser(context.sql, userId, {
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email, ...(sensitive && email !== user.email && { emailVerified: false }) }),
    ...(passwordHash !== undefined && { passwordHash }),
  })
  if (passwordHash !== undefined) await signOutEverywhere(context, userId, tokenId)
  return publicUser(changed)
}

/** Who signed in, by the session's token; null where it is unknown or over. */
export async function sessionOf({ sql }: Pick<Context, 'sql'>, token: string): Promise<(Session & { readonly user: User }) | null> {
  const session = await findSessionByHash(sql, sha256(token))
  const user = session && (await findUser(sql, session.userId))
  return user ? { id: session.id, userId: user.id, user: publicUser(user) } : null
}

async function openSession(sql: Queryable, userId: string, { address, userAgent }: Origin): Promise<string> {
  const token = newToken('st')
  const expiresAt = new Date(Date.now() + SESSION_DAYS * 86_400_000)
  const [id, network] = [newId('ses'), networkOf(address)]
  await insertSession(sql, { id, userId, tokenHash: sha256(token), userAgent: userAgent.slice(0, 300), network, expiresAt })
  return token
}

export function publicUser({ id, name, email, emailVerified, isAdmin, createdAt, updatedAt }: UserRow): User {
  return { id, name, email, emailVerified, isAdmin, createdAt, updatedAt }
}
