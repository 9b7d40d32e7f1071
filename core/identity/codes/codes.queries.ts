import { type Queryable, row, type Tx } from '../../data/sql.ts'
import type { Purpose } from './codes.model.ts'

export interface CodeRow {
  readonly id: string
  readonly purpose: Purpose
  readonly email: string
  readonly language: 'en' | 'fr' | 'ar' | null
  /** It is for the first password of a person whom somebody else made. */
  readonly welcomes: boolean
  /** It was asked for from where its person has signed in. */
  readonly isNear: boolean
  readonly userId: string | null
  readonly codeHash: string | null
  readonly attempts: number
  readonly expiresAt: string
}

const columns = (sql: Queryable) => sql`id, purpose, email, language, welcomes, is_near, user_id, code_hash, attempts, expires_at`
const isOpen = (sql: Queryable) => sql`used_at is null and expires_at > now()`

export const insertCode = (
  sql: Queryable,
  code: { id: string; purpose: Purpose; email: string; language: string | null; welcomes: boolean; isNear: boolean; expiresAt: Date },
) => sql`insert into one_time_codes ${row(sql, code)}`

/** Holds one that was not mailed yet. */
export const lockUnsent = async (sql: Tx, id: string) =>
  (await sql<CodeRow[]>`select ${columns(sql)} from one_time_codes where id = ${id} and user_id is null and ${isOpen(sql)} for update`)[0]

export const writeCode = (sql: Queryable, id: string, of: { userId: string; codeHash: string; tokenHash: string }) =>
  sql`update one_time_codes set ${row(sql, of)} where id = ${id}`

/** Counts a try before it is looked at: many at once are no more than one after the other. Undefined where none is left. */
export const takeAttempt = async (sql: Queryable, id: string, most: number) =>
  (
    await sql<CodeRow[]>`update one_time_codes set attempts = attempts + 1 where id = ${id} and attempts < ${most} and ${isOpen(sql)}
      returning ${columns(sql)}`
  )[0]

export const giveBackAttempt = (sql: Queryable, id: string) =>
  sql`update one_time_codes set attempts = attempts - 1 where id = ${id} and attempts > 0`

/** Whether nobody used it before. */
export const markUsed = async (sql: Queryable, id: string) =>
  (await sql`update one_time_codes set used_at = now() where id = ${id} and ${isOpen(sql)}`).count > 0

export const findByToken = async (sql: Queryable, purpose: Purpose, tokenHash: string) =>
  (
    await sql<
      CodeRow[]
    >`select ${columns(sql)} from one_time_codes where token_hash = ${tokenHash} and purpose = ${purpose} and ${isOpen(sql)}`
  )[0]

/** What was mailed for this before is over with what was used. */
export const endOthers = (sql: Queryable, userId: string, purposes: readonly Purpose[]) =>
  sql`update one_time_codes set used_at = now() where user_id = ${userId} and purpose = any(${purposes as Purpose[]}) and used_at is null`

/** How many were forgotten. */
export const forgetCodes = async (sql: Queryable, most: number) =>
  (
    await sql`delete from one_time_codes where id = any (array(
      select id from one_time_codes where expires_at < now() - interval '1 day' order by expires_at limit ${most}))`
  ).count

export const forgetCodesOf = (sql: Queryable, userId: string) => sql`delete from one_time_codes where user_id = ${userId}`
