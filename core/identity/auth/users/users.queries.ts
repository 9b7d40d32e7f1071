import { containing, keysetPage, matching, type Sorted, sortValue } from '../../../data/keyset-page.ts'
import { expectOne, type Queryable, type Tx } from '../../../data/sql.ts'
import type { User } from '../auth.model.ts'
import type { AskedUsers } from './users.model.ts'

export const listUsers = (sql: Queryable, { filter: { isAdmin }, q, slice: part }: AskedUsers) =>
  sql<(User & Sorted)[]>`
    select id, name, email, email_verified, is_admin, language, created_at, updated_at ${sortValue(sql, part)} from users where deleted_at is null
    ${matching(sql, { is_admin: isAdmin })} ${q === undefined ? sql`` : sql`and ${containing(sql, sql`name || ' ' || email`, q)}`}
    ${keysetPage(sql, part)}`

const ADMINS_LOCK = 7_233_041

/** How many administer the platform; whoever makes more or fewer of them waits for the caller's transaction. */
export async function countAdmins(sql: Tx) {
  await sql`select pg_advisory_xact_lock(${ADMINS_LOCK})`
  return expectOne(await sql<{ count: number }[]>`select count(*)::int as count from users where is_admin and deleted_at is null`).count
}

export const setAdmin = (sql: Queryable, id: string, isAdmin: boolean) =>
  sql`update users set is_admin = ${isAdmin}, updated_at = now() where id = ${id}`

/** What is left says nothing of who it was, and nobody signs in with it. */
export const anonymise = (sql: Queryable, id: string, name: string) => sql`
  update users set name = ${name}, email = ${`${id}@deleted.invalid`}, email_verified = false, password_hash = '', is_admin = false, language = null,
    deleted_at = now(), updated_at = now() where id = ${id}`

/** Of each day in UTC that has any. */
export const countNewByDay = (sql: Queryable, from: Date, to: Date) =>
  sql<{ day: string; count: number }[]>`
    select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*)::int as count from users
    where deleted_at is null and created_at >= ${from} and created_at < ${to} group by 1`

export const findSome = (sql: Queryable, ids: readonly string[]) =>
  sql<{ id: string; email: string }[]>`select id, email from users where id = any(${ids as string[]}) and deleted_at is null order by id`
