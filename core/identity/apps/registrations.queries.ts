import { expectOne, type Queryable, rowValues } from '../../data/sql.ts'
import type { Scope } from '../../http/auth/scopes.ts'
import { type AppRow, appColumns } from './apps.queries.ts'

/** Values of a self-registered client that are stored. */
export interface NewRegistration {
  readonly id: string
  readonly name: string
  readonly website: string | null
  readonly secretHash: string | null
  readonly secretLast4: string | null
  readonly redirectUris: readonly string[]
  readonly scopes: readonly Scope[]
}

/** SQL condition for a self-registered client without any grant. */
const isUnused = (sql: Queryable) => sql`registration is not null and not exists (select 1 from oauth_grants g where g.app_id = apps.id)`

/** Inserts a client of dynamic registration and returns its row. */
export const insertRegisteredApp = async (sql: Queryable, app: NewRegistration) =>
  expectOne(await sql<AppRow[]>`insert into apps ${rowValues(sql, { ...app, registration: 'dynamic' })} returning ${appColumns(sql)}`)

/** Counts the self-registered clients without any grant. The count stops at `most`. */
export const countUnusedRegistrations = async (sql: Queryable, most: number) =>
  expectOne(
    await sql<{ count: number }[]>`select count(*)::integer as count from (select 1 from apps where ${isUnused(sql)} limit ${most}) unused`,
  ).count

/** Finds a client by the URL of its metadata document, with the time of the last fetch. */
export const findAppByDocument = async (sql: Queryable, documentUrl: string) =>
  (
    await sql<(AppRow & { checkedAt: string })[]>`select ${appColumns(sql)}, checked_at from apps
      where document_url = ${documentUrl} and deleted_at is null`
  )[0]

/** Stores the current content of a metadata document. Sets `updated_at` and `checked_at` on every fetch. */
export const upsertDocumentApp = async (sql: Queryable, documentUrl: string, app: NewRegistration) =>
  expectOne(
    await sql<AppRow[]>`insert into apps ${rowValues(sql, { ...app, registration: 'document', documentUrl, checkedAt: new Date() })}
      on conflict (document_url) where document_url is not null do update set name = excluded.name, website = excluded.website,
        redirect_uris = excluded.redirect_uris, scopes = excluded.scopes, checked_at = now(), updated_at = now()
      returning ${appColumns(sql)}`,
  )

/** Deletes at most `most` self-registered clients that are a day old and have no grant. Returns the number of deleted rows. */
export const deleteUnusedRegistrations = async (sql: Queryable, most: number) =>
  (
    await sql`delete from apps where id = any (array(
      select id from apps where ${isUnused(sql)} and greatest(created_at, checked_at) < now() - interval '1 day' limit ${most} for update skip locked))`
  ).count
