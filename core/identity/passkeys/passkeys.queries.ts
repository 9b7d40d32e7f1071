import { expectOne, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { Passkey } from './passkeys.model.ts'

/** Row of the `passkeys` table. */
export interface PasskeyRow extends Passkey {
  readonly userId: string
  readonly credentialId: string
  readonly publicKey: Uint8Array<ArrayBuffer>
  readonly counter: number
  readonly transports: string[]
}

const columns = (sql: Queryable) => sql`id, name, synced, created_at, last_used_at`

/** Inserts the challenge of a ceremony. The user is null when somebody signs in. */
export const insertChallenge = (sql: Queryable, challenge: { id: string; userId: string | null; challenge: string; expiresAt: Date }) =>
  sql`insert into passkey_challenges ${rowValues(sql, challenge)}`

/** Deletes a challenge and returns it, so that it works only once. Returns undefined when it is unknown or expired. */
export const consumeChallenge = async (sql: Queryable, id: string, userId: string | null) =>
  (
    await sql<{ challenge: string }[]>`delete from passkey_challenges
      where id = ${id} and user_id is not distinct from ${userId} and expires_at > now() returning challenge`
  )[0]?.challenge

/** Deletes expired challenges. */
export const deleteExpiredChallenges = (sql: Queryable) => sql`delete from passkey_challenges where expires_at < now()`

/** Counts the passkeys of a user, and takes a lock that makes concurrent registrations wait until the transaction ends. */
export async function lockAndCountPasskeys(sql: Tx, userId: string) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`passkeys of ${userId}`}, 0))`
  return expectOne(await sql<{ count: number }[]>`select count(*)::int as count from passkeys where user_id = ${userId}`).count
}

/** Inserts a passkey and returns its API view. */
export const insertPasskey = async (sql: Queryable, passkey: Omit<PasskeyRow, 'createdAt' | 'lastUsedAt'>) =>
  expectOne(await sql<Passkey[]>`insert into passkeys ${rowValues(sql, passkey)} returning ${columns(sql)}`)

/** Finds a passkey by its WebAuthn credential id. */
export const findPasskeyByCredential = async (sql: Queryable, credentialId: string) =>
  (await sql<PasskeyRow[]>`select * from passkeys where credential_id = ${credentialId}`)[0]

/** Lists the credential ids of a user, at most 100. */
export const listPasskeyCredentials = (sql: Queryable, userId: string) =>
  sql<{ credentialId: string; transports: string[] }[]>`select credential_id, transports from passkeys where user_id = ${userId} limit 100`

/** Lists the passkeys of a user, newest first. `before` is the id that ended the previous page. */
export const listPasskeys = (sql: Queryable, userId: string, before: string | null, take: number) =>
  sql<Passkey[]>`select ${columns(sql)} from passkeys
    where user_id = ${userId} and (${before}::text is null or id < ${before}) order by id desc limit ${take}`

/** Records a use of a passkey. Returns false when its counter did not increase, which means that the authenticator was copied. */
export const recordPasskeyUse = async (sql: Queryable, id: string, counter: number) =>
  (
    await sql`update passkeys set counter = ${counter}, last_used_at = now()
      where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`
  ).count > 0

/** Deletes a passkey of a user. Returns false when there is no such passkey. */
export const deletePasskey = async (sql: Queryable, userId: string, id: string) =>
  (await sql`delete from passkeys where user_id = ${userId} and id = ${id}`).count > 0

/** Deletes all passkeys of a user. */
export const deletePasskeysOfUser = (sql: Queryable, userId: string) => sql`delete from passkeys where user_id = ${userId}`
