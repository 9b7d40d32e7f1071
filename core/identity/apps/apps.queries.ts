import { expectOne, json, type Queryable, rowValues } from '../../data/sql.ts'
import type { Scope } from '../../http/auth/scopes.ts'
import type { App, AppChange, AppData } from './apps.model.ts'

/** Row of the `apps` table, without the data that the app stores. */
export type AppRow = Omit<App, 'kind'> & {
  /** Null for clients that registered themselves, and for apps of a deleted user. */
  readonly ownerId: string | null
  readonly secretHash: string | null
  /** Origin of a client without an owner: dynamic registration or a metadata document. Null for apps of a user. */
  readonly registration: 'dynamic' | 'document' | null
  readonly documentUrl: string | null
}

/** Part of the data that an app stores for itself, by the audience that may read it. */
export type AppDataAudience = 'publicData' | 'privateData'

/** SQL list of the columns of {@link AppRow}. */
export const appColumns = (
  sql: Queryable,
) => sql`id, owner_id, name, description, website, secret_hash, secret_last4, redirect_uris, scopes,
  pushed_requests_only, bound_tokens_only, dpop_nonces, registration, document_url, created_at, updated_at`

/** Inserts an app of a user and returns its row. */
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
) => expectOne(await sql<AppRow[]>`insert into apps ${rowValues(sql, app)} returning ${appColumns(sql)}`)

/** Counts the apps of a user that are not deleted. */
export const countApps = async (sql: Queryable, ownerId: string) =>
  expectOne(await sql<{ count: number }[]>`select count(*)::integer as count from apps where owner_id = ${ownerId} and deleted_at is null`)
    .count

/** Finds an app by its id. Returns undefined when it does not exist or is deleted. */
export const findApp = async (sql: Queryable, id: string) =>
  (await sql<AppRow[]>`select ${appColumns(sql)} from apps where id = ${id} and deleted_at is null`)[0]

/** Lists the apps of a user that are not deleted, newest first. `before` is the id that ended the previous page. */
export const listApps = (sql: Queryable, ownerId: string, before: string | null, take: number) =>
  sql<AppRow[]>`select ${appColumns(sql)} from apps
    where owner_id = ${ownerId} and deleted_at is null and (${before}::text is null or id < ${before})
    order by id desc limit ${take}`

/** Updates an app and returns the new row. Returns undefined when the app is deleted. */
export const updateApp = async (sql: Queryable, id: string, change: AppChange | { secretHash: string; secretLast4: string }) =>
  (
    await sql<AppRow[]>`update apps set ${rowValues(sql, { ...change, updatedAt: new Date() })} where id = ${id} and deleted_at is null
      returning ${appColumns(sql)}`
  )[0]

/** Marks an app as deleted. Returns false when it was deleted already. */
export const markAppDeleted = async (sql: Queryable, id: string) =>
  (await sql`update apps set deleted_at = now() where id = ${id} and deleted_at is null`).count > 0

/** Marks all apps of a user as deleted and removes the user as their owner. Returns the ids of the apps. */
export const markAppsOfUserDeleted = async (sql: Queryable, ownerId: string) =>
  (
    await sql<
      { id: string }[]
    >`update apps set deleted_at = coalesce(deleted_at, now()), owner_id = null where owner_id = ${ownerId} returning id`
  ).map(({ id }) => id)

/** Deletes at most `most` rows of the data that a deleted app stored about users. Returns the number of deleted rows. */
export const deleteAppUserData = async (sql: Queryable, appId: string, most: number) =>
  (
    await sql`delete from app_user_data where app_id = ${appId} and user_id in (select user_id from app_user_data where app_id = ${appId} limit ${most})`
  ).count

/** Deletes the row of an app that is marked as deleted. */
export const deleteAppRow = (sql: Queryable, id: string) => sql`delete from apps where id = ${id} and deleted_at is not null`

const dataColumn = (shelf: AppDataAudience) => (shelf === 'publicData' ? 'public_data' : 'private_data')

/** Finds the data that an app stores for itself. Returns undefined when the app does not exist. */
export const findAppData = async (sql: Queryable, id: string, shelf: AppDataAudience) =>
  (await sql<{ data: AppData }[]>`select ${sql(dataColumn(shelf))} as data from apps where id = ${id} and deleted_at is null`)[0]?.data

/** Replaces the data that an app stores for itself. */
export const updateAppData = (sql: Queryable, id: string, shelf: AppDataAudience, data: AppData) =>
  sql`update apps set ${sql(dataColumn(shelf))} = ${json(sql, data)}, updated_at = now() where id = ${id}`

/** Finds the data that an app stores about a user. Returns undefined when there is none. */
export const findAppUserData = async (sql: Queryable, appId: string, userId: string) =>
  (await sql<{ data: AppData }[]>`select data from app_user_data where app_id = ${appId} and user_id = ${userId}`)[0]?.data

/** Tells if the user has ever authorized the app, or if the app stores data about the user. Ended grants count too. */
export const isUserOfApp = async (sql: Queryable, appId: string, userId: string) =>
  (
    await sql`select 1 from app_user_data where app_id = ${appId} and user_id = ${userId}
      union all (select 1 from oauth_grants where app_id = ${appId} and user_id = ${userId} limit 1) limit 1`
  ).length > 0

/** Inserts or replaces the data that an app stores about a user. */
export const upsertAppUserData = (sql: Queryable, appId: string, userId: string, data: AppData) =>
  sql`insert into app_user_data ${rowValues(sql, { appId, userId, data }, ['data'])}
    on conflict (app_id, user_id) do update set data = excluded.data, updated_at = now()`

/** Deletes the data that all apps store about a user. */
export const deleteAppDataOfUser = (sql: Queryable, userId: string) => sql`delete from app_user_data where user_id = ${userId}`
