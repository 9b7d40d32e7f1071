import { expectOne, json, type Queryable, row } from '../../data/sql.ts'
import type { Scope } from '../../http/auth/scopes.ts'
import type { App, AppChange, Kept } from './apps.model.ts'

export type AppRow = Omit<App, 'kind'> & {
  /** Null of clients that registered themselves. */
  readonly ownerId: string | null
  readonly secretHash: string | null
  /** How a client without an owner came here. */
  readonly registration: 'dynamic' | 'document' | null
  readonly documentUrl: string | null
}

/** What an app keeps for itself, by who may read it. */
export type Shelf = 'publicData' | 'privateData'

export const columns = (sql: Queryable) => sql`id, owner_id, name, description, website, secret_hash, secret_last4, redirect_uris, scopes,
  pushed_requests_only, bound_tokens_only, dpop_nonces, registration, document_url, created_at, updated_at`

export const insertApp = async (
  sql: Queryable,
  app: {
    id: string
    ownerId: string
    name: string
    description: string
    website: string | null
    secretHash: string | null
    secretLast4: string | null
    redirectUris: readonly string[]
    scopes: readonly Scope[]
    pushedRequestsOnly: boolean
    boundTokensOnly: boolean
    dpopNonces: boolean
  },
) => expectOne(await sql<AppRow[]>`insert into apps ${row(sql, app)} returning ${columns(sql)}`)

export const countApps = async (sql: Queryable, ownerId: string) =>
  expectOne(await sql<{ count: number }[]>`select count(*)::integer as count from apps where owner_id = ${ownerId} and deleted_at is null`)
    .count

export const findApp = async (sql: Queryable, id: string) =>
  (await sql<AppRow[]>`select ${columns(sql)} from apps where id = ${id} and deleted_at is null`)[0]

export const listApps = (sql: Queryable, ownerId: string, before: string | null, take: number) =>
  sql<AppRow[]>`select ${columns(sql)} from apps
    where owner_id = ${ownerId} and deleted_at is null and (${before}::text is null or id < ${before})
    order by id desc limit ${take}`

export const updateApp = async (sql: Queryable, id: string, change: AppChange | { secretHash: string; secretLast4: string }) =>
  (
    await sql<AppRow[]>`update apps set ${row(sql, { ...change, updatedAt: new Date() })} where id = ${id} and deleted_at is null
      returning ${columns(sql)}`
  )[0]

/** Nobody finds it any more. False where somebody else did so before. */
export const markDeleted = async (sql: Queryable, id: string) =>
  (await sql`update apps set deleted_at = now() where id = ${id} and deleted_at is null`).count > 0

/** His apps, without him: nothing keeps his row. Gives their ids. */
export const markDeletedOf = async (sql: Queryable, ownerId: string) =>
  (
    await sql<
      { id: string }[]
    >`update apps set deleted_at = coalesce(deleted_at, now()), owner_id = null where owner_id = ${ownerId} returning id`
  ).map(({ id }) => id)

/** Some of what an app that is deleted kept of people. How many rows went. */
export const deleteSomeOfUsers = async (sql: Queryable, appId: string, most: number) =>
  (
    await sql`delete from app_user_data where app_id = ${appId} and user_id in (select user_id from app_user_data where app_id = ${appId} limit ${most})`
  ).count

export const deleteRow = (sql: Queryable, id: string) => sql`delete from apps where id = ${id} and deleted_at is not null`

const columnOf = (shelf: Shelf) => (shelf === 'publicData' ? 'public_data' : 'private_data')

export const findKept = async (sql: Queryable, id: string, shelf: Shelf) =>
  (await sql<{ data: Kept }[]>`select ${sql(columnOf(shelf))} as data from apps where id = ${id} and deleted_at is null`)[0]?.data

export const updateKept = (sql: Queryable, id: string, shelf: Shelf, data: Kept) =>
  sql`update apps set ${sql(columnOf(shelf))} = ${json(sql, data)}, updated_at = now() where id = ${id}`

export const findOfUser = async (sql: Queryable, appId: string, userId: string) =>
  (await sql<{ data: Kept }[]>`select data from app_user_data where app_id = ${appId} and user_id = ${userId}`)[0]?.data

/** Whether the person let the app in, be it that this has ended since, or there is something kept of him. */
export const knowsUser = async (sql: Queryable, appId: string, userId: string) =>
  (
    await sql`select 1 from app_user_data where app_id = ${appId} and user_id = ${userId}
      union all (select 1 from oauth_grants where app_id = ${appId} and user_id = ${userId} limit 1) limit 1`
  ).length > 0

export const upsertOfUser = (sql: Queryable, appId: string, userId: string, data: Kept) =>
  sql`insert into app_user_data ${row(sql, { appId, userId, data }, ['data'])}
    on conflict (app_id, user_id) do update set data = excluded.data, updated_at = now()`

/** What apps keep of him. */
export const deleteKeptOf = (sql: Queryable, userId: string) => sql`delete from app_user_data where user_id = ${userId}`
