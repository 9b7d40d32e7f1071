import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { storeIdColumn } from '../../data/project-ids.ts'
import { expectOne, type Queryable, rowValues, type Tx } from '../../data/sql.ts'

/** Saved filter, with the name of its user. */
export interface SavedFilterRow {
  readonly id: string
  readonly storeId: string
  readonly userId: string
  readonly userName: string
  readonly page: string
  readonly name: string
  /** Decoded parameters: pairs of a name and a value. */
  readonly query: readonly [string, string][]
  readonly isShared: boolean
  readonly createdAt: string
  readonly updatedAt: string
}

const selectFilters = (
  sql: Queryable,
) => sql`select f.id, ${storeIdColumn(sql, 'f')}, f.user_id, u.name as user_name, f.page, f.name, f.query,
  f.is_shared, f.created_at, f.updated_at from saved_filters f join users u on u.id = f.user_id`

/** User who asks for filters of a project. Without `seesShared`, they see only their own. */
export interface FilterReader {
  readonly projectId: string
  readonly userId: string
  readonly seesShared: boolean
}

const isVisible = (sql: Queryable, { projectId, userId, seesShared }: FilterReader) =>
  sql`f.project_id = ${projectId} and ${seesShared ? sql`(f.is_shared or f.user_id = ${userId})` : sql`f.user_id = ${userId}`}`

/** Lists the filters that a user sees in a store, newest first: their own, and shared ones. */
export const listSavedFilters = (sql: Queryable, reader: FilterReader, page: string | undefined, before: string | null, take: number) =>
  sql<SavedFilterRow[]>`${selectFilters(sql)} where ${isVisible(sql, reader)}
    ${page === undefined ? sql`` : sql`and f.page = ${page}`} and (${before}::text is null or f.id < ${before}) order by f.id desc limit ${take}`

/** Finds a filter that a user sees. */
export const findSavedFilter = async (sql: Queryable, reader: FilterReader, id: string) =>
  (await sql<SavedFilterRow[]>`${selectFilters(sql)} where ${isVisible(sql, reader)} and f.id = ${id}`)[0]

/** Counts the filters of a user, and the shared ones of all users. */
export const countSavedFilters = async (sql: Queryable, projectId: string, userId: string) =>
  expectOne(
    await sql<{ own: number; shared: number }[]>`select count(*) filter (where user_id = ${userId})::int as own,
      count(*) filter (where is_shared)::int as shared from saved_filters where project_id = ${projectId}`,
  )

/** Serializes the changes of a project's filters until the transaction ends, so that their limits hold. */
export const lockSavedFilters = (tx: Tx, projectId: string) =>
  tx`select pg_advisory_xact_lock(hashtextextended(${`saved_filters ${projectId}`}, 0))`

interface NewRow extends Pick<SavedFilterRow, 'id' | 'userId' | 'page' | 'name' | 'query' | 'isShared'> {
  readonly projectId: string
}

/** Inserts a filter. */
export const insertSavedFilter = (sql: Queryable, row: NewRow) => sql`insert into saved_filters ${rowValues(sql, row, ['query'])}`

/** Updates a filter. */
export const updateSavedFilter = (
  sql: Queryable,
  projectId: string,
  id: string,
  change: Partial<Pick<SavedFilterRow, 'name' | 'query' | 'isShared'>>,
) =>
  sql`update saved_filters set ${rowValues(sql, { ...change, updatedAt: new Date() }, ['query'])} where project_id = ${projectId} and id = ${id}`

/** Deletes a filter. */
export const deleteSavedFilter = (sql: Queryable, projectId: string, id: string) =>
  sql`delete from saved_filters where project_id = ${projectId} and id = ${id}`

/** Deletes the filters that only this user sees, in all stores. */
export const deletePrivateFilters = (sql: Queryable, userId: string) =>
  sql`delete from saved_filters where user_id = ${userId} and not is_shared`

/** Filters that may name a person, for the search of personal data. */
export const personalFilters = eraseBySearch({
  table: 'saved_filters',
  owner: 'project',
  key: ['id'],
  columns: { name: 'text', query: 'json' },
  created: 'created_at',
})
