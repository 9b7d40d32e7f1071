import type { SocialAdapter } from '../../../plugins/social/members.ts'
import type { Profile } from '../../../plugins/social/model.ts'
import type { Context } from '../../context.ts'
import { type Queryable, type Tx, transaction } from '../../data/sql.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { newId } from '../../lib/ids.ts'
import { confirmAddress, holdConfirmed, holdPerson, holdsSession } from '../auth/account.ts'
import type { SignedIn } from '../auth/auth.model.ts'
import { findUserByEmail } from '../auth/auth.queries.ts'
import { assertSecondFactor } from '../auth/second-factor/second-factor.ts'
import type { Origin } from '../auth/sign-in/open-session.ts'
import { letIn, type Session } from '../auth/sign-in/sign-in.ts'
import { tellOfWayIn } from '../auth/sign-in/sign-in-alerts.ts'
import { createPerson } from '../auth/users/users.ts'
import { findHolder, insertIdentity, lockIdentity, noteUse } from './social.queries.ts'

export type Provider = Pick<SocialAdapter, 'slug' | 'label'>

/** Who somebody has proven to be at a provider. */
interface Identity {
  readonly provider: Provider
  readonly profile: Profile
  readonly sealedToken: string | null
}

export interface Coming extends Identity {
  /** What he said himself, where the provider said nothing: of a new account alone. */
  readonly email?: string | undefined
  readonly name?: string | undefined
  readonly secondFactor?: string | undefined
  readonly origin: Origin
  /** Uses up what he showed. Throws where it was used before. */
  spend(tx: Tx): Promise<void>
}

export type Outcome = 'signed_in' | 'signed_up' | 'linked'
export type Entered = SignedIn & { readonly outcome: Outcome }

/** How somebody comes in: as whom he came in before, as who has the address that both sides confirmed, or as somebody new. */
type Way =
  | { readonly how: 'known'; readonly userId: string }
  | { readonly how: 'joined'; readonly userId: string }
  | { readonly how: 'new'; readonly email: string }

type Teller = Pick<Context, 'mail'>

const TRIES = 3

/**
 * Signs in whoever comes, or makes an account. Nobody comes into an account by an address that one of the two sides did not confirm: whoever
 * typed it first would be let in. Throws `email_taken`, `email_required`, `signup_closed`, and what a second factor is asked by.
 */
export async function enter(context: Context, coming: Coming): Promise<Entered> {
  const { origin, secondFactor } = coming
  for (let tries = 0; tries < TRIES; tries += 1) {
    const way = await wayOf(context, context.sql, coming)
    if (way.how !== 'new') await assertSecondFactor(context, way.userId, secondFactor, origin.address)
    const entered = await transaction(context.sql, (tx) => enterBy(tx, context, coming, way))
    if (entered) return entered
  }
  throw new ApiError('conflict', 'The account was changed at this moment. Sign in again.')
}

async function wayOf({ config }: Pick<Context, 'config'>, sql: Queryable, { provider, profile, email }: Coming): Promise<Way> {
  const known = await findHolder(sql, provider.slug, profile.subject)
  if (known !== undefined) return { how: 'known', userId: known }
  const address = profile.email ?? email
  const holder = address === undefined ? undefined : await findUserByEmail(sql, address)
  if (holder?.emailVerified && isVerified(profile)) return { how: 'joined', userId: holder.id }
  if (holder)
    throw new ApiError(
      'email_taken',
      `There is an account with this e-mail address. Sign in to it as before, and link ${provider.label} there.`,
    )
  if (!config.openSignup) throw new ApiError('signup_closed', 'Signing up is closed here. Ask an administrator for an account.')
  if (address === undefined)
    throw new ApiError('email_required', `${provider.label} told no e-mail address. Send it again with email: it is to be confirmed.`)
  return { how: 'new', email: address }
}

const isVerified = ({ email, emailVerified }: Profile) => email !== undefined && emailVerified

const isSame = (one: Way, other: Way) =>
  one.how === 'new' || other.how === 'new' ? one.how === other.how : one.how === other.how && one.userId === other.userId

/** Null where the way is another by now: it is looked for again. The identity is held before the person, everywhere. */
async function enterBy(tx: Tx, context: Context, coming: Coming, way: Way): Promise<Entered | null> {
  const { provider, profile, origin } = coming
  await lockIdentity(tx, provider.slug, profile.subject)
  if (!isSame(way, await wayOf(context, tx, coming))) return null
  const userId = await personFor(tx, context, coming, way)
  if (userId === null) return null
  await coming.spend(tx)
  const signedIn = await letIn(tx, context, userId, origin, { means: 'social' })
  return { ...signedIn, outcome: way.how === 'new' ? 'signed_up' : 'signed_in' }
}

async function personFor(tx: Tx, context: Teller, coming: Coming, way: Way): Promise<string | null> {
  const { provider, profile, sealedToken } = coming
  if (way.how === 'known') {
    const isThere = await holdPerson(tx, way.userId)
    return isThere && (await noteUse(tx, way.userId, provider.slug, profile, sealedToken)) ? way.userId : null
  }
  if (way.how === 'joined') {
    const holder = await holdConfirmed(tx, profile.email ?? '')
    if (holder?.id !== way.userId) return null
    await add(tx, context, holder.id, coming)
    return holder.id
  }
  const name = profile.name ?? coming.name ?? (way.email.split('@')[0] || provider.label)
  // No password matches an empty hash.
  const { id } = await createPerson(tx, { name, email: way.email }, '')
  if (isVerified(profile)) await confirmAddress(tx, id, way.email)
  await keep(tx, id, coming)
  return id
}

/**
 * Links it to a person who is signed in: false where that session is over. Throws `conflict` where it is another's, or the person has one of this
 * provider.
 */
export async function link(tx: Tx, context: Teller, session: Session, shown: Identity): Promise<boolean> {
  const { userId } = session
  const { provider, profile, sealedToken } = shown
  await lockIdentity(tx, provider.slug, profile.subject)
  if (!(await holdsSession(tx, session))) return false
  if (!(await noteUse(tx, userId, provider.slug, profile, sealedToken))) await add(tx, context, userId, shown)
  return true
}

/** To an account that is there: its person hears of it. */
async function add(tx: Tx, context: Teller, userId: string, identity: Identity): Promise<void> {
  await keep(tx, userId, identity)
  await tellOfWayIn(tx, context, userId, identity.provider.label)
}

const keep = (tx: Tx, userId: string, { provider: { slug }, profile: { subject, email }, sealedToken }: Identity) =>
  insertIdentity(tx, { id: newId('soc'), provider: slug, subject, userId, email: email ?? null, sealedToken })
