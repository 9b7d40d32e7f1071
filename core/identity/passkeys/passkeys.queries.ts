import { expectOne, type Queryable, row, type Tx } from '../../data/sql.ts'
import type { Passkey } from './passkeys.model.ts'

export interface PasskeyRow extends Passkey {
  readonly userId: string
  readonly credentialId: string
  readonly publicKey: Uint8Array<ArrayBuffer>
  readonly counter: number
  readonly transports: string[]
}

const columns = (sql: Queryable) => sql`id, name, synced, created_at, last_used_at`

export const insertChallenge = (sql: Queryable, challenge: { id: string; userId: string | null; challenge: string; expiresAt: Date }) =>
  sql`insert into passkey_challenges ${row(sql, challenge)}`

/** Each is taken once. */
export const takeChallenge = async (sql: Queryable, id: string, userId: string | null) =>
  (
    await sql<{ challenge: string }[]>`delete from passkey_challenges
      where id = ${id} and user_id is not distinct from ${userId} and expires_at > now() returning challenge`
  )[0]?.challenge

export const forgetChallenges = (sql: Queryable) => sql`delete from passkey_challenges where expires_at < now()`

/** Who else registers one for the person waits for the caller's transaction. */
export async function countPasskeys(sql: Tx, userId: string) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`passkeys of ${userId}`}, 0))`
  return expectOne(await sql<{ count: number }[]>`select count(*)::int as count from passkeys where user_id = ${userId}`).count
}

export const insertPasskey = async (sql: Queryable, passkey: Omit<PasskeyRow, 'createdAt' | 'lastUsedAt'>) =>
  expectOne(await sql<Passkey[]>`insert into passkeys ${row(sql, passkey)} returning ${columns(sql)}`)

export const findByCredential = async (sql: Queryable, credentialId: string) =>
  (await sql<PasskeyRow[]>`select * from passkeys where credential_id = ${credentialId}`)[0]

export const listCredentials = (sql: Queryable, userId: string) =>
  sql<{ credentialId: string; transports: string[] }[]>`select credential_id, transports from passkeys where user_id = ${userId} limit 100`

export const listPasskeys = (sql: Queryable, userId: string, before: string | null, take: number) =>
  sql<Passkey[]>`select ${columns(sql)} from passkeys
    where user_id = ${userId} and (${before}::text is null or id < ${before}) order by id desc limit ${take}`

/** Whether it counted further than before, as an authenticator that counts does unless there is a copy of it. */
export const notePasskeyUse = async (sql: Queryable, id: string, counter: number) =>
  (
    await sql`update passkeys set counter = ${counter}, last_used_at = now()
      where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`
  ).count > 0

export const deletePasskey = async (sql: Queryable, userId: string, id: string) =>
  (await sql`delete from passkeys where user_id = ${userId} and id = ${id}`).count > 0

export const forgetPasskeysOf = (sql: Queryable, userId: string) => sql`delete from passkeys where user_id = ${userId}`
