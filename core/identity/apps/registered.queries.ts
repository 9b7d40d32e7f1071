import { expectOne, type Queryable, row } from '../../data/sql.ts'
import type { Scope } from '../../http/auth/scopes.ts'
import { type AppRow, columns } from './apps.queries.ts'

export interface NewRegistration {
  readonly id: string
  readonly name: string
  readonly website: string | null
  readonly secretHash: string | null
  readonly secretLast4: string | null
  readonly redirectUris: readonly string[]
  readonly scopes: readonly Scope[]
}

const isUnused = (sql: Queryable) => sql`registration is not null and not exists (select 1 from oauth_grants g where g.app_id = apps.id)`

export const insertRegistered = async (sql: Queryable, app: NewRegistration) =>
  expectOne(await sql<AppRow[]>`insert into apps ${row(sql, { ...app, registration: 'dynamic' })} returning ${columns(sql)}`)

/** Registrations that nobody has let in yet, counted up to `most`. */
export const countUnused = async (sql: Queryable, most: number) =>
  expectOne(
    await sql<{ count: number }[]>`select count(*)::integer as count from (select 1 from apps where ${isUnused(sql)} limit ${most}) unused`,
  ).count

export const findByDocument = async (sql: Queryable, documentUrl: string) =>
  (
    await sql<(AppRow & { checkedAt: string })[]>`select ${columns(sql)}, checked_at from apps
      where document_url = ${documentUrl} and deleted_at is null`
  )[0]

/** Keeps what a document says now. `updated_at` tells when that last changed. */
export const upsertDocument = async (sql: Queryable, documentUrl: string, app: NewRegistration) =>
  expectOne(
    await sql<AppRow[]>`insert into apps ${row(sql, { ...app, registration: 'document', documentUrl, checkedAt: new Date() })}
      on conflict (document_url) where document_url is not null do update set name = excluded.name, website = excluded.website,
        redirect_uris = excluded.redirect_uris, scopes = excluded.scopes, checked_at = now(), updated_at = now()
      returning ${columns(sql)}`,
  )

/** Registrations that nobody let in for a day, and those that nobody has let in any more. Gives how many went. */
export const deleteUnused = async (sql: Queryable, most: number) =>
  (
    await sql`delete from apps where id = any (array(
      select id from apps where ${isUnused(sql)} and greatest(created_at, checked_at) < now() - interval '1 day' limit ${most} for update skip locked))`
  ).count
