import { type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { CodePurpose } from './codes.model.ts'

/** Row of the `one_time_codes` table. User and code hash are null until the code is mailed. */
export interface CodeRow {
  readonly id: string
  readonly purpose: CodePurpose
  readonly email: string
  readonly language: 'en' | 'fr' | 'ar' | null
  /** True for the first password of an account that somebody else created. */
  readonly welcomes: boolean
  /** True when the caller used a network of the account's sessions. */
  readonly isNear: boolean
  readonly userId: string | null
  readonly codeHash: string | null
  readonly attempts: number
  readonly expiresAt: string
}

const columns = (sql: Queryable) => sql`id, purpose, email, language, welcomes, is_near, user_id, code_hash, attempts, expires_at`
/** SQL condition for a code that is neither used nor expired. */
const isOpen = (sql: Queryable) => sql`used_at is null and expires_at > now()`

/** Inserts a request for a code. */
export const insertCode = (
  sql: Queryable,
  code: { id: string; purpose: CodePurpose; email: string; language: string | null; welcomes: boolean; isNear: boolean; expiresAt: Date },
) => sql`insert into one_time_codes ${rowValues(sql, code)}`

/** Locks an open request whose code has not been mailed. Returns undefined when there is none. */
export const lockUnsentCode = async (sql: Tx, id: string) =>
  (await sql<CodeRow[]>`select ${columns(sql)} from one_time_codes where id = ${id} and user_id is null and ${isOpen(sql)} for update`)[0]

/** Stores the user and the hashes of a code that is being mailed. */
export const updateSentCode = (sql: Queryable, id: string, of: { userId: string; codeHash: string; tokenHash: string }) =>
  sql`update one_time_codes set ${rowValues(sql, of)} where id = ${id}`

/** Counts an attempt before it is checked, so that concurrent attempts cannot exceed the limit. Returns undefined when none is left. */
export const claimAttempt = async (sql: Queryable, id: string, most: number) =>
  (
    await sql<CodeRow[]>`update one_time_codes set attempts = attempts + 1 where id = ${id} and attempts < ${most} and ${isOpen(sql)}
      returning ${columns(sql)}`
  )[0]

/** Subtracts an attempt that was correct. */
export const releaseAttempt = (sql: Queryable, id: string) =>
  sql`update one_time_codes set attempts = attempts - 1 where id = ${id} and attempts > 0`

/** Marks a code as used. Returns false when it was used before or has expired. */
export const markCodeUsed = async (sql: Queryable, id: string) =>
  (await sql`update one_time_codes set used_at = now() where id = ${id} and ${isOpen(sql)}`).count > 0

/** Finds an open code by the token hash of its link. */
export const findCodeByToken = async (sql: Queryable, purpose: CodePurpose, tokenHash: string) =>
  (
    await sql<
      CodeRow[]
    >`select ${columns(sql)} from one_time_codes where token_hash = ${tokenHash} and purpose = ${purpose} and ${isOpen(sql)}`
  )[0]

/** Marks all open codes of a user with these purposes as used. */
export const expireOtherCodes = (sql: Queryable, userId: string, purposes: readonly CodePurpose[]) =>
  sql`update one_time_codes set used_at = now() where user_id = ${userId} and purpose = any(${purposes as CodePurpose[]}) and used_at is null`

/** Deletes at most `most` codes that expired more than a day ago. Returns the number of deleted rows. */
export const deleteExpiredCodes = async (sql: Queryable, most: number) =>
  (
    await sql`delete from one_time_codes where id = any (array(
      select id from one_time_codes where expires_at < now() - interval '1 day' order by expires_at limit ${most}))`
  ).count

/** Deletes all codes of a user. */
export const deleteCodesOfUser = (sql: Queryable, userId: string) => sql`delete from one_time_codes where user_id = ${userId}`
