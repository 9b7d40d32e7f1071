import { type Queryable, rowValues, type Tx } from '../../../data/sql.ts'

/** Page with its content, published or not. */
export interface PageDraftRow {
  readonly id: string
  readonly projectId: string
  readonly title: string
  readonly slug: string
  readonly content: string
}

/** Template of a store with its data. */
export interface StoreTemplateRow {
  readonly id: string
  readonly projectId: string
  readonly data: Record<string, unknown>
}

type Table = 'templates' | 'product_landing_page_templates'

/** Counts the pages of a store. */
export const countPages = async (sql: Queryable, projectId: string) =>
  (await sql<{ count: number }[]>`select count(*)::int as count from pages where project_id = ${projectId}`)[0]?.count ?? 0

/** Inserts an unpublished HTML page. */
export const insertPageDraft = (sql: Tx, page: PageDraftRow) =>
  sql`insert into pages ${rowValues(sql, { ...page, format: 'html', published: false })}`

/** Finds a page of a store. Returns undefined where there is none. */
export const findPageDraft = async (sql: Queryable, projectId: string, id: string) =>
  (await sql<PageDraftRow[]>`select id, project_id, title, slug, content from pages where project_id = ${projectId} and id = ${id}`)[0]

/** Updates a page, unless its content has changed since it was read. */
export const updatePageIfUnchanged = (sql: Tx, { projectId, id, content }: PageDraftRow, change: Pick<PageDraftRow, 'title' | 'content'>) =>
  sql`update pages set ${rowValues(sql, { ...change, updatedAt: new Date() })} where project_id = ${projectId} and id = ${id} and content = ${content}`

/** Finds a template of a store in one of the two tables. Returns undefined where there is none. */
export const findTemplateInTable = async (sql: Queryable, table: Table, projectId: string, id: string) =>
  (await sql<StoreTemplateRow[]>`select id, project_id, data from ${sql(table)} where project_id = ${projectId} and id = ${id}`)[0]

/** Updates the data of a template, unless it has changed since it was read. */
export const updateTemplateIfUnchanged = (sql: Tx, table: Table, { projectId, id, data: before }: StoreTemplateRow, data: object) =>
  sql`update ${sql(table)} set ${rowValues(sql, { data, updatedAt: new Date() }, ['data'])} where project_id = ${projectId} and id = ${id} and data = ${JSON.stringify(before)}::text::jsonb`
