import type { Queryable } from '../../../data/sql.ts'

export interface TemplateRow {
  readonly id: string
  readonly storeId: string | null
  readonly name: string
  readonly data: Record<string, unknown>
}

const seen = (sql: Queryable, storeId: string) => sql`(store_id = ${storeId} or (store_id is null and published))`

export const findTemplate = async (sql: Queryable, storeId: string, id: string) =>
  (await sql<TemplateRow[]>`select id, store_id, name, data from templates where id = ${id} and ${seen(sql, storeId)}`)[0]

/** Those of these names or ids that the store sees, its own first, each name's oldest first. */
export const findNamed = (sql: Queryable, storeId: string, names: readonly string[]) =>
  sql<TemplateRow[]>`select distinct on (store_id, name) id, store_id, name, data from templates
    where ${seen(sql, storeId)} and name = any (${names as string[]}) order by store_id nulls last, name, id`

export const findByIds = (sql: Queryable, storeId: string, ids: readonly string[]) =>
  sql<TemplateRow[]>`select id, store_id, name, data from templates where ${seen(sql, storeId)} and id = any (${ids as string[]})`
