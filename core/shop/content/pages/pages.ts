import type { Context } from '../../../context.ts'
import { resourceRoutes } from '../../../http/resource/resource.ts'
import { contentAccess, storeOwnerOf } from '../content-access.ts'
import { PAGES_MAX, PageFields } from './pages.model.ts'

/** Routes of the pages of a store for its members, unpublished ones included. */
export const pages = (context: Context) =>
  resourceRoutes(context, storeOwnerOf(context), {
    name: 'page',
    path: '/v1/pages',
    table: 'pages',
    prefix: 'pag',
    verbs: ['list', 'create', 'read', 'replace', 'patch', 'remove'],
    fields: PageFields,
    defaults: { format: 'html', content: '', metadata: {}, published: false },
    slug: 'slug',
    filters: ['published'],
    sorts: ['title', 'updatedAt'],
    search: 'title',
    longFields: ['content'],
    access: contentAccess,
    maxRows: PAGES_MAX,
  })
