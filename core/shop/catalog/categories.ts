import type { Context } from '../../context.ts'
import { resource } from '../../http/resource.ts'
import { chosenStore } from '../stores/access.ts'
import { CATEGORIES_MAX, CategoryFields } from './categories.model.ts'
import { assertPlace } from './category-tree.ts'

/** Categories of a store, one under another. */
export const categories = (context: Context) =>
  resource(context, (caller, storeId, needed) => chosenStore(context, caller, storeId, needed), {
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
    most: CATEGORIES_MAX,
    check: assertPlace,
  })
