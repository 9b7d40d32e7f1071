import { containsCondition, equalsCondition, keysetPage, type SortedRow, sortValueColumn } from '../../../data/keyset-page.ts'
import { expectOne, type Queryable, type Tx } from '../../../data/sql.ts'
import type { User } from '../auth.model.ts'
import type { UserListQuery } from './users.model.ts'

/** Lists a page of users that are not deleted. */
export const listUsers = (sql: Queryable, { filter: { isAdmin }, q, page: part }: UserListQuery) =>
  sql<(User & SortedRow)[]>`
    select id, name, email, email_verified, is_admin, language, created_at, updated_at ${sortValueColumn(sql, part)} from users where deleted_at is null
    ${equalsCondition(sql, { is_admin: isAdmin })} ${q === undefined ? sql`` : sql`and ${containsCondition(sql, sql`name || ' ' || email`, q)}`}
    ${keysetPage(sql, part)}`

const ADMINS_LOCK = 7_233_041

/** Counts the platform administrators, and takes a lock that makes concurrent appointments wait until the transaction ends. */
export async function lockAndCountAdmins(sql: Tx) {
  await sql`select pg_advisory_xact_lock(${ADMINS_LOCK})`
  return expectOne(await sql<{ count: number }[]>`select count(*)::int as count from users where is_admin and deleted_at is null`).count
}

/** Sets or removes the role of platform administrator. */
export const setAdmin = (sql: Queryable, id: string, { isAdmin }: { readonly isAdmin: boolean }) =>
  sql`update users set is_admin = ${isAdmin}, updated_at = now() where id = ${id}`

/** Replaces all personal data of a user, removes their password and role, and marks the row as deleted. */
export const anonymizeUser = (sql: Queryable, id: string, name: string) => sql`
  update users set name = ${name}, email = ${`${id}@deleted.invalid`}, email_verified = false, password_hash = '', is_admin = false, language = null,
    deleted_at = now(), updated_at = now() where id = ${id}`

/** Counts new users by UTC day, from `from` up to but not including `to`. Days without any are left out. */
export const countNewUsersByDay = (sql: Queryable, from: Date, to: Date) =>
  sql<{ day: string; count: number }[]>`
    select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*)::int as count from users
    where deleted_at is null and created_at >= ${from} and created_at < ${to} group by 1`

/** Finds users by id, ordered by id. Deleted and unknown users are left out. */
export const findUserEmails = (sql: Queryable, ids: readonly string[]) =>
  sql<{ id: string; email: string }[]>`select id, email from users where id = any(${ids as string[]}) and deleted_at is null order by id`
