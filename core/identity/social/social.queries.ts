import { expectOne, type Queryable, row, type Tx } from '../../data/sql.ts'
import type { Profile } from './social.model.ts'

export type Purpose = 'sign_in' | 'link'

export interface StateRow {
  readonly digest: string
  readonly provider: string
  readonly purpose: Purpose
  /** The digest of what the browser that began has. */
  readonly browser: string | null
  /** Who links, and the session that he does it in. */
  readonly userId: string | null
  readonly sessionId: string | null
  readonly redirectUri: string
  readonly returnTo: string | null
  readonly challenge: string | null
  /** Path of our own page that the browser goes on to, signed in. */
  readonly goOnTo: string | null
}

export interface TicketRow
  extends Pick<StateRow, 'digest' | 'provider' | 'purpose' | 'browser' | 'userId' | 'sessionId' | 'challenge' | 'goOnTo'> {
  readonly profile: Profile
  readonly sealedToken: string | null
}

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000)

export const insertState = (sql: Queryable, state: StateRow, minutes: number) =>
  sql`insert into social_states ${row(sql, { ...state, expiresAt: inMinutes(minutes) })}`

/** The state, which nobody is given a second time: nothing where another browser comes with it than the one that began. */
export const takeState = async (sql: Queryable, digest: string, provider: string, purpose: Purpose, browser: string | null) =>
  (
    await sql<StateRow[]>`delete from social_states where digest = ${digest} and provider = ${provider} and purpose = ${purpose}
      and expires_at > now() and (browser is null or browser = ${browser}) returning *`
  )[0]

export const insertTicket = (sql: Queryable, ticket: TicketRow, minutes: number) =>
  sql`insert into social_tickets ${row(sql, { ...ticket, expiresAt: inMinutes(minutes) }, ['profile'])}`

export const findTicket = async (sql: Queryable, digest: string, provider: string) =>
  (await sql<TicketRow[]>`select * from social_tickets where digest = ${digest} and provider = ${provider} and expires_at > now()`)[0]

/** Whether nobody took it before. */
export const takeTicket = async (sql: Queryable, digest: string) =>
  (await sql`delete from social_tickets where digest = ${digest} and expires_at > now()`).count > 0

/** Whether the token was never shown before. */
export const spendToken = async (sql: Queryable, digest: string, expiresAt: Date) =>
  (await sql`insert into social_spent_tokens ${row(sql, { digest, expiresAt })} on conflict do nothing`).count > 0

/** How many were forgotten of what nobody may need again. */
export const forgetOver = async (sql: Queryable, most: number) => {
  const states = await sql`delete from social_states where digest = any (array(
    select digest from social_states where expires_at < now() order by expires_at limit ${most}))`
  const tickets = await sql`delete from social_tickets where digest = any (array(
    select digest from social_tickets where expires_at < now() order by expires_at limit ${most}))`
  const tokens = await sql`delete from social_spent_tokens where digest = any (array(
    select digest from social_spent_tokens where expires_at < now() order by expires_at limit ${most}))`
  return Math.max(states.count, tickets.count, tokens.count)
}

/** Who else comes with the same identity waits for the caller's transaction. Taken before any person is held. */
export const lockIdentity = (sql: Tx, provider: string, subject: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`identity ${provider} ${subject}`}, 0))`

/** Whose an identity is; undefined where it is nobody's. */
export const findHolder = async (sql: Queryable, provider: string, subject: string) =>
  (
    await sql<{ userId: string }[]>`select i.user_id from social_identities i join users u on u.id = i.user_id and u.deleted_at is null
      where i.provider = ${provider} and i.subject = ${subject}`
  )[0]?.userId

export const insertIdentity = (
  sql: Queryable,
  identity: { id: string; provider: string; subject: string; userId: string; email: string | null; sealedToken: string | null },
) => sql`insert into social_identities ${row(sql, identity)}`

/** Whether it still is the person's. */
export const noteUse = async (sql: Queryable, userId: string, provider: string, { subject, email }: Profile, sealedToken: string | null) =>
  (
    await sql`update social_identities set last_used_at = now(), email = coalesce(${email ?? null}, email),
      sealed_token = coalesce(${sealedToken}, sealed_token)
      where user_id = ${userId} and provider = ${provider} and subject = ${subject}`
  ).count > 0

/** A sign-in that is nobody's any more. */
export interface RemovedRow {
  readonly provider: string
  readonly subject: string
  readonly sealedToken: string | null
}

/** Takes a person's identities away, of one provider or all, and gives what they were. */
export const deleteIdentities = (sql: Queryable, userId: string, provider: string | null = null) =>
  sql<RemovedRow[]>`delete from social_identities where user_id = ${userId} and (${provider}::text is null or provider = ${provider})
    returning provider, subject, sealed_token`

/** How many ways a person has to come in: the password, passkeys, and identities. */
export const countWays = async (sql: Tx, userId: string) =>
  expectOne(
    await sql<{ ways: number }[]>`select (u.password_hash <> '')::int
      + (select count(*)::int from passkeys p where p.user_id = u.id)
      + (select count(*)::int from social_identities i where i.user_id = u.id) as ways from users u where u.id = ${userId}`,
  ).ways
