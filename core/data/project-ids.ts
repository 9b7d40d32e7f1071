import type { Queryable } from './sql.ts'

const [STORE, PROJECT] = ['sto_', 'prj_']

/** Project id of rows that belong to the platform, in tables that stores and the platform share. */
export const PLATFORM_PROJECT_ID = ''

/**
 * Returns the id of a store's project, by which the store's rows are keyed. The two ids differ in the prefix alone. A text that is no id of
 * a store gives one that no row has.
 */
export const projectIdOf = (storeId: string): string =>
  storeId.startsWith(STORE) ? PROJECT + storeId.slice(STORE.length) : `no project of ${storeId}`

/** Returns the id of the store that a project backs. The store need not exist, since a project may have none. */
export const storeIdOf = (projectId: string): string => STORE + projectId.slice(PROJECT.length)

/** Returns the project id of a row's owner. Null is the platform. */
export const ownerProjectIdOf = (storeId: string | null): string => (storeId === null ? PLATFORM_PROJECT_ID : projectIdOf(storeId))

/** Returns the store that owns a row; null if it belongs to the platform. */
export const ownerStoreIdOf = (projectId: string): string | null => (projectId === PLATFORM_PROJECT_ID ? null : storeIdOf(projectId))

/** Gives a row its project in place of its store, as its table names it. */
export const keyedByProject = <Row extends { readonly storeId: string }>({ storeId, ...rest }: Row) => ({
  projectId: projectIdOf(storeId),
  ...rest,
})

/** Selects the store of a row by its project, as `store_id`. */
export const storeIdColumn = (sql: Queryable, table: string) => sql`'sto_' || substr(${sql(table)}.project_id, 5) as store_id`
