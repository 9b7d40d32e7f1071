import type { SocialAdapter } from '../../../plugins/social/members.ts'
import type { Profile } from '../../../plugins/social/model.ts'
import type { Context } from '../../context.ts'
import { type Queryable, type Tx, transaction } from '../../data/sql.ts'
import { newId } from '../../lib/ids.ts'
import { confirmEmailAddress, lockUserByConfirmedEmail, tryLockSession, tryLockUser } from '../auth/account.ts'
import { authErrors } from '../auth/auth.errors.ts'
import type { SignInResult } from '../auth/auth.model.ts'
import { findUserByEmail } from '../auth/auth.queries.ts'
import { assertSecondFactor } from '../auth/second-factor/second-factor.ts'
import type { ClientOrigin } from '../auth/sign-in/create-session.ts'
import { completeSignIn, type Session } from '../auth/sign-in/sign-in.ts'
import { notifySignInMethodAdded } from '../auth/sign-in/sign-in-alerts.ts'
import { createUser } from '../auth/users/users.ts'
import { socialErrors } from './social.errors.ts'
import { findIdentityOwner, insertIdentity, lockIdentity, recordIdentityUse } from './social.queries.ts'

/** Provider as errors and pages name it. */
export type ProviderName = Pick<SocialAdapter, 'slug' | 'label'>

/** Verified identity of a user at a provider. */
interface Identity {
  readonly provider: ProviderName
  readonly profile: Profile
  readonly sealedToken: string | null
}

/** Sign-in with a verified identity. */
export interface SocialSignIn extends Identity {
  /** Values that the user entered because the provider sent none. They apply only to a new account. */
  readonly email?: string | undefined
  readonly name?: string | undefined
  readonly secondFactor?: string | undefined
  readonly origin: ClientOrigin
  /** Marks the proof as used. Throws when it was used before. */
  consumeProof(tx: Tx): Promise<void>
}

/** Result of a social sign-in. */
export type SocialSignInOutcome = 'signed_in' | 'signed_up' | 'linked'
/** Session of a social sign-in, with its outcome. */
export type SocialSignInResult = SignInResult & { readonly outcome: SocialSignInOutcome }

/** Account of a sign-in: a linked one, one with the same address that both sides confirmed, or a new one. */
type AccountMatch =
  | { readonly how: 'known'; readonly userId: string }
  | { readonly how: 'joined'; readonly userId: string }
  | { readonly how: 'new'; readonly email: string }

type Mailer = Pick<Context, 'mail'>

const TRIES = 3

/**
 * Signs in with a verified identity, or creates an account. An existing account is joined only when both sides confirmed the address.
 * Throws `email_taken`, `email_required`, `signup_closed`, `conflict`, and the errors of the second factor.
 */
export async function signInWithIdentity(context: Context, signIn: SocialSignIn): Promise<SocialSignInResult> {
  const { origin, secondFactor } = signIn
  for (let tries = 0; tries < TRIES; tries += 1) {
    const match = await matchAccount(context, context.sql, signIn)
    if (match.how !== 'new') await assertSecondFactor(context, match.userId, secondFactor, origin.address)
    const result = await transaction(context.sql, (tx) => signInToMatch(tx, context, signIn, match))
    if (result) return result
  }
  throw socialErrors.accountChanged()
}

async function matchAccount(
  { config }: Pick<Context, 'config'>,
  sql: Queryable,
  { provider, profile, email }: SocialSignIn,
): Promise<AccountMatch> {
  const known = await findIdentityOwner(sql, provider.slug, profile.subject)
  if (known !== undefined) return { how: 'known', userId: known }
  const address = profile.email ?? email
  const holder = address === undefined ? undefined : await findUserByEmail(sql, address)
  if (holder?.emailVerified && isVerified(profile)) return { how: 'joined', userId: holder.id }
  if (holder) throw socialErrors.accountExists({ label: provider.label })
  if (!config.openSignup) throw authErrors.signupClosed()
  if (address === undefined) throw socialErrors.emailMissing({ label: provider.label })
  return { how: 'new', email: address }
}

const isVerified = ({ email, emailVerified }: Profile) => email !== undefined && emailVerified

const isSame = (one: AccountMatch, other: AccountMatch) =>
  one.how === 'new' || other.how === 'new' ? one.how === other.how : one.how === other.how && one.userId === other.userId

/**
 * Signs in to the resolved account. Returns null when another account must be used meanwhile. The identity is always locked before the
 * user.
 */
async function signInToMatch(tx: Tx, context: Context, signIn: SocialSignIn, match: AccountMatch): Promise<SocialSignInResult | null> {
  const { provider, profile, origin } = signIn
  await lockIdentity(tx, provider.slug, profile.subject)
  if (!isSame(match, await matchAccount(context, tx, signIn))) return null
  const userId = await userFor(tx, context, signIn, match)
  if (userId === null) return null
  await signIn.consumeProof(tx)
  const signedIn = await completeSignIn(tx, context, userId, origin, { means: 'social' })
  return { ...signedIn, outcome: match.how === 'new' ? 'signed_up' : 'signed_in' }
}

async function userFor(tx: Tx, context: Mailer, signIn: SocialSignIn, match: AccountMatch): Promise<string | null> {
  const { provider, profile, sealedToken } = signIn
  if (match.how === 'known') {
    const isThere = await tryLockUser(tx, match.userId)
    return isThere && (await recordIdentityUse(tx, match.userId, provider.slug, profile, sealedToken)) ? match.userId : null
  }
  if (match.how === 'joined') {
    const holder = await lockUserByConfirmedEmail(tx, profile.email ?? '')
    if (holder?.id !== match.userId) return null
    await addAndNotify(tx, context, holder.id, signIn)
    return holder.id
  }
  const name = profile.name ?? signIn.name ?? (match.email.split('@')[0] || provider.label)
  // No password matches an empty hash.
  const { id } = await createUser(tx, { name, email: match.email }, '')
  if (isVerified(profile)) await confirmEmailAddress(tx, id, match.email)
  await insertFor(tx, id, signIn)
  return id
}

/**
 * Links an identity to a signed-in user. Returns false when the session has ended. Throws `conflict` when the identity belongs to another
 * user, or the user has one of this provider.
 */
export async function linkIdentity(tx: Tx, context: Mailer, session: Session, shown: Identity): Promise<boolean> {
  const { userId } = session
  const { provider, profile, sealedToken } = shown
  await lockIdentity(tx, provider.slug, profile.subject)
  if (!(await tryLockSession(tx, session))) return false
  if (!(await recordIdentityUse(tx, userId, provider.slug, profile, sealedToken))) await addAndNotify(tx, context, userId, shown)
  return true
}

/** Links an identity to an existing account and mails its user. */
async function addAndNotify(tx: Tx, context: Mailer, userId: string, identity: Identity): Promise<void> {
  await insertFor(tx, userId, identity)
  await notifySignInMethodAdded(tx, context, userId, identity.provider.label)
}

const insertFor = (tx: Tx, userId: string, { provider: { slug }, profile: { subject, email }, sealedToken }: Identity) =>
  insertIdentity(tx, { id: newId('soc'), provider: slug, subject, userId, email: email ?? null, sealedToken })
