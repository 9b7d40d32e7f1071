import { expectOne, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { Profile } from './social.model.ts'

/** Purpose of a flow at a provider. */
export type SocialPurpose = 'sign_in' | 'link'

/** Row of the `social_states` table: a flow that a browser started at a provider. */
export interface StateRow {
  readonly digest: string
  readonly provider: string
  readonly purpose: SocialPurpose
  /** Digest of the cookie of the browser that started the flow. */
  readonly browser: string | null
  /** User who links, and the session in which they do. */
  readonly userId: string | null
  readonly sessionId: string | null
  readonly redirectUri: string
  readonly returnTo: string | null
  readonly challenge: string | null
  /** Path of this server to which the browser continues, signed in. */
  readonly goOnTo: string | null
}

/** Row of the `social_tickets` table: a verified identity that waits to be used. */
export interface TicketRow
  extends Pick<StateRow, 'digest' | 'provider' | 'purpose' | 'browser' | 'userId' | 'sessionId' | 'challenge' | 'goOnTo'> {
  readonly profile: Profile
  readonly sealedToken: string | null
}

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000)

/** Inserts a state that expires after `minutes`. */
export const insertSocialState = (sql: Queryable, state: StateRow, minutes: number) =>
  sql`insert into social_states ${rowValues(sql, { ...state, expiresAt: inMinutes(minutes) })}`

/**
 * Deletes a state and returns it, so that it works only once. Returns undefined when it is unknown, expired, or was started by another
 * browser.
 */
export const consumeSocialState = async (
  sql: Queryable,
  digest: string,
  provider: string,
  purpose: SocialPurpose,
  browser: string | null,
) =>
  (
    await sql<StateRow[]>`delete from social_states where digest = ${digest} and provider = ${provider} and purpose = ${purpose}
      and expires_at > now() and (browser is null or browser = ${browser}) returning *`
  )[0]

/** Inserts a ticket that expires after `minutes`. */
export const insertTicket = (sql: Queryable, ticket: TicketRow, minutes: number) =>
  sql`insert into social_tickets ${rowValues(sql, { ...ticket, expiresAt: inMinutes(minutes) }, ['profile'])}`

/** Finds a ticket that has not expired. */
export const findTicket = async (sql: Queryable, digest: string, provider: string) =>
  (await sql<TicketRow[]>`select * from social_tickets where digest = ${digest} and provider = ${provider} and expires_at > now()`)[0]

/** Deletes a ticket. Returns false when it was used before or has expired. */
export const deleteTicket = async (sql: Queryable, digest: string) =>
  (await sql`delete from social_tickets where digest = ${digest} and expires_at > now()`).count > 0

/** Records an identity token as used. Returns false when it was used before. */
export const insertSpentToken = async (sql: Queryable, digest: string, expiresAt: Date) =>
  (await sql`insert into social_spent_tokens ${rowValues(sql, { digest, expiresAt })} on conflict do nothing`).count > 0

/** Deletes at most `most` expired states, tickets and used tokens each. Returns the largest of the three numbers. */
export const deleteExpiredFlows = async (sql: Queryable, most: number) => {
  const states = await sql`delete from social_states where digest = any (array(
    select digest from social_states where expires_at < now() order by expires_at limit ${most}))`
  const tickets = await sql`delete from social_tickets where digest = any (array(
    select digest from social_tickets where expires_at < now() order by expires_at limit ${most}))`
  const tokens = await sql`delete from social_spent_tokens where digest = any (array(
    select digest from social_spent_tokens where expires_at < now() order by expires_at limit ${most}))`
  return Math.max(states.count, tickets.count, tokens.count)
}

/** Takes a lock on an identity until the transaction ends. It must be taken before any user is locked. */
export const lockIdentity = (sql: Tx, provider: string, subject: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`identity ${provider} ${subject}`}, 0))`

/** Finds the id of the user who owns an identity. Returns undefined when nobody does. */
export const findIdentityOwner = async (sql: Queryable, provider: string, subject: string) =>
  (
    await sql<{ userId: string }[]>`select i.user_id from social_identities i join users u on u.id = i.user_id and u.deleted_at is null
      where i.provider = ${provider} and i.subject = ${subject}`
  )[0]?.userId

/** Inserts an identity of a user. */
export const insertIdentity = (
  sql: Queryable,
  identity: { id: string; provider: string; subject: string; userId: string; email: string | null; sealedToken: string | null },
) => sql`insert into social_identities ${rowValues(sql, identity)}`

/** Records a use of an identity. Returns false when it does not belong to the user any more. */
export const recordIdentityUse = async (
  sql: Queryable,
  userId: string,
  provider: string,
  { subject, email }: Profile,
  sealedToken: string | null,
) =>
  (
    await sql`update social_identities set last_used_at = now(), email = coalesce(${email ?? null}, email),
      sealed_token = coalesce(${sealedToken}, sealed_token)
      where user_id = ${userId} and provider = ${provider} and subject = ${subject}`
  ).count > 0

/** Identity that was deleted. */
export interface RemovedIdentity {
  readonly provider: string
  readonly subject: string
  readonly sealedToken: string | null
}

/** Deletes the identities of a user, of one provider or of all, and returns them. */
export const deleteIdentities = (sql: Queryable, userId: string, provider: string | null = null) =>
  sql<RemovedIdentity[]>`delete from social_identities where user_id = ${userId} and (${provider}::text is null or provider = ${provider})
    returning provider, subject, sealed_token`

/** Counts the sign-in methods of a user: the password, passkeys and identities. */
export const countSignInMethods = async (sql: Tx, userId: string) =>
  expectOne(
    await sql<{ ways: number }[]>`select (u.password_hash <> '')::int
      + (select count(*)::int from passkeys p where p.user_id = u.id)
      + (select count(*)::int from social_identities i where i.user_id = u.id) as ways from users u where u.id = ${userId}`,
  ).ways
