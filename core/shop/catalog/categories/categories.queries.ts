import type { Queryable } from '../../../data/sql.ts'
import type { Category } from './categories.model.ts'

/** Lists the id and the parent of every category of a store. */
export const listCategoryParents = (sql: Queryable, projectId: string) =>
  sql<Pick<Category, 'id' | 'parentId'>[]>`select id, parent_id from categories where project_id = ${projectId}`

/** Row of a category. */
export interface CategoryRow extends Omit<Category, 'storeId'> {
  readonly projectId: string
}

/** Lists up to `most` categories of a store, by position and name. */
export const listCategories = (sql: Queryable, projectId: string, most: number) =>
  sql<CategoryRow[]>`
    select id, project_id, name, slug, parent_id, position, image, created_at, updated_at
    from categories where project_id = ${projectId} order by position, name, id limit ${most}`
