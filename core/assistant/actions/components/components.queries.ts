import type { Queryable } from '../../../data/sql.ts'

/** Row of `templates`. `storeId` is null for a template of the platform. */
export interface TemplateRow {
  readonly id: string
  readonly storeId: string | null
  readonly name: string
  readonly data: Record<string, unknown>
}

const isVisible = (sql: Queryable, storeId: string) => sql`(store_id = ${storeId} or (store_id is null and published))`

/** Finds a template that the store sees. */
export const findTemplate = async (sql: Queryable, storeId: string, id: string) =>
  (await sql<TemplateRow[]>`select id, store_id, name, data from templates where id = ${id} and ${isVisible(sql, storeId)}`)[0]

/** Finds templates that the store sees by name: for each name the oldest of the store and of the platform, the store's first. */
export const findTemplatesByName = (sql: Queryable, storeId: string, names: readonly string[]) =>
  sql<TemplateRow[]>`select distinct on (store_id, name) id, store_id, name, data from templates
    where ${isVisible(sql, storeId)} and name = any (${names as string[]}) order by store_id nulls last, name, id`

/** Finds templates that the store sees by id. */
export const findTemplatesById = (sql: Queryable, storeId: string, ids: readonly string[]) =>
  sql<TemplateRow[]>`select id, store_id, name, data from templates where ${isVisible(sql, storeId)} and id = any (${ids as string[]})`
