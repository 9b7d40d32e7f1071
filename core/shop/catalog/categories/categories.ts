import type { Context } from '../../../context.ts'
import { type Owner, resourceRoutes } from '../../../http/resource/resource.ts'
import { isStoreVisible, resolveStore } from '../../stores/access.ts'
import { CATEGORIES_MAX, CategoryFields } from './categories.model.ts'
import { assertValidParent } from './category-tree.ts'

/** Routes of a store's categories. Members write them, and the public reads them. */
export const categories = (context: Context) => {
  const owner: Owner = {
    of: 'store',
    guard: (caller, storeId, needed) => resolveStore(context, caller, storeId, needed),
    exists: (storeId) => isStoreVisible(context, storeId),
  }
  return resourceRoutes(context, owner, {
    name: 'category',
    plural: 'categories',
    path: '/v1/categories',
    table: 'categories',
    prefix: 'cat',
    verbs: ['list', 'create', 'read', 'replace', 'remove'],
    fields: CategoryFields,
    defaults: { position: 0 },
    filters: ['parentId', 'slug'],
    sorts: ['name', 'position'],
    search: 'name',
    access: { read: 'viewer', write: 'admin', readScope: 'products:read', writeScope: 'products:write' },
    maxRows: CATEGORIES_MAX,
    publicView: { to: 'anybody' },
    check: assertValidParent,
  })
}
