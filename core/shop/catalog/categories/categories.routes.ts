import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { Data, Id } from '../../../http/schema.ts'
import { CategoryTree } from './categories.model.ts'
import { readCategoryTree } from './category-tree.ts'

/** Route that reads all categories of a store as a tree. */
export const categoryTree = ({ sql, authority }: Context) =>
  new Elysia({ name: 'categories', prefix: '/v1/categories' })
    .use(authority)
    .get('/tree', async ({ store }) => ({ data: await readCategoryTree(sql, store.projectId) }), {
      storefront: ['viewer', 'products:read'],
      query: T.Object({ storeId: T.Optional(Id) }),
      response: Data(CategoryTree),
      detail: { tags: ['Categories'], summary: 'Read all categories of a store as a tree', operationId: 'category.tree' },
    })
