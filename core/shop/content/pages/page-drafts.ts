import type { Queryable, Tx } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import { contentErrors } from '../content.errors.ts'
import {
  countPages,
  findPageDraft,
  findTemplateInTable,
  insertPageDraft,
  type PageDraftRow,
  type StoreTemplateRow,
  updatePageIfUnchanged,
  updateTemplateIfUnchanged,
} from './page-drafts.queries.ts'
import { PAGES_MAX } from './pages.model.ts'

export { findPageDraft as findDraft }

/**
 * Creates an unpublished page and returns its id. Its slug is unique: the start of `slug` and the end of the id. Throws `limit_reached`.
 */
export async function createPageDraft(tx: Tx, page: Pick<PageDraftRow, 'projectId' | 'title' | 'slug' | 'content'>): Promise<string> {
  if ((await countPages(tx, page.projectId)) >= PAGES_MAX) throw contentErrors.tooManyPages({ pagesMax: PAGES_MAX })
  const id = newId('pag')
  await insertPageDraft(tx, { ...page, id, slug: `${page.slug.slice(0, 60).replace(/-+$/, '')}-${id.slice(-8)}` })
  return id
}

/** Updates the title and content of a page, unless it has changed since it was read. Returns true where it was updated. */
export const rewritePageDraft = async (tx: Tx, page: PageDraftRow, change: Pick<PageDraftRow, 'title' | 'content'>): Promise<boolean> =>
  (await updatePageIfUnchanged(tx, page, change)).count > 0

const tables = { plt: 'product_landing_page_templates', tpl: 'templates' } as const

/** Finds a template of the store by its id, whose prefix names the table. Returns undefined where there is none. */
export function findStoreTemplate(sql: Queryable, projectId: string, id: string): Promise<StoreTemplateRow | undefined> {
  const table = tables[id.slice(0, 3) as keyof typeof tables]
  return table ? findTemplateInTable(sql, table, projectId, id) : Promise.resolve(undefined)
}

/** Replaces the data of a template, unless it has changed since it was read. Returns true where it was updated. */
export const rewriteTemplate = async (tx: Tx, template: StoreTemplateRow, data: object): Promise<boolean> =>
  (await updateTemplateIfUnchanged(tx, tables[template.id.slice(0, 3) as keyof typeof tables], template, data)).count > 0
