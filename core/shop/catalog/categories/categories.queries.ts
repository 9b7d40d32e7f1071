import type { Queryable } from '../../../data/sql.ts'
import type { Category } from './categories.model.ts'

/** Lists the id and the parent of every category of a store. */
export const listCategoryParents = (sql: Queryable, storeId: string) =>
  sql<Pick<Category, 'id' | 'parentId'>[]>`select id, parent_id from categories where store_id = ${storeId}`

/** Lists up to `most` categories of a store, by position and name. */
export const listCategories = (sql: Queryable, storeId: string, most: number) =>
  sql<Category[]>`
    select id, store_id, name, slug, parent_id, position, image, created_at, updated_at
    from categories where store_id = ${storeId} order by position, name, id limit ${most}`
