import type { Slice } from '../../../data/slice.ts'
import { json, one, type Queryable, row, type Tx } from '../../../data/sql.ts'
import type { Cells } from './columns.ts'
import type { ImportedRow, ProductImport } from './imports.model.ts'

const counted = (sql: Queryable) => sql`i.store_id, i.id, i.status, i.total, i.created_at, i.completed_at,
  (select count(*)::int from product_import_rows r where r.store_id = i.store_id and r.import_id = i.id and r.status = 'created') as created,
  (select count(*)::int from product_import_rows r where r.store_id = i.store_id and r.import_id = i.id and r.status = 'updated') as updated,
  (select count(*)::int from product_import_rows r where r.store_id = i.store_id and r.import_id = i.id and r.status = 'failed') as failed`

export const findImport = async (sql: Queryable, id: string) =>
  (await sql<ProductImport[]>`select ${counted(sql)} from product_imports i where i.id = ${id}`)[0]

/** Sheets of a store that are still at work. */
export const countOpenImports = async (sql: Queryable, storeId: string) =>
  one(
    await sql<{ open: number }[]>`select count(*)::int as open from product_imports where store_id = ${storeId} and status = 'processing'`,
  ).open

export const insertImport = (sql: Tx, heading: { storeId: string; id: string; total: number }) =>
  sql`insert into product_imports ${row(sql, { ...heading, status: 'processing' })}`

/** `from`: the number of the first of these rows. */
export const insertImportRows = (sql: Tx, { storeId, id }: { storeId: string; id: string }, from: number, rows: readonly Cells[]) =>
  sql`insert into product_import_rows (store_id, import_id, row, input, sku, status)
    select ${storeId}, ${id}, ${from}::int + r.place - 1, r.input, left(r.input ->> 'sku', 80), 'waiting'
    from jsonb_array_elements(${json(sql, rows)}) with ordinality as r (input, place)`

/** Whoever else works on it waits, and on any sheet of the store: what two of them would both make is found by the later one. */
export async function lockImport(sql: Tx, storeId: string, id: string) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`imports ${storeId}`}, 0))`
  return (
    (await sql`select 1 from product_imports where store_id = ${storeId} and id = ${id} and status = 'processing' for update`).length > 0
  )
}

export const waitingRows = (sql: Tx, storeId: string, id: string, take: number) =>
  sql<{ row: number; input: Cells }[]>`select row, input from product_import_rows
    where store_id = ${storeId} and import_id = ${id} and status = 'waiting' order by row limit ${take}`

export const settleImportRow = (
  sql: Tx,
  { storeId, id }: { storeId: string; id: string },
  { row: number, ...result }: Omit<ImportedRow, 'sku'>,
) =>
  sql`update product_import_rows set ${row(sql, { ...result, input: null }, ['error'])}
    where store_id = ${storeId} and import_id = ${id} and row = ${number}`

export const completeImport = (sql: Tx, storeId: string, id: string) =>
  sql`update product_imports set status = 'completed', completed_at = now() where store_id = ${storeId} and id = ${id}`

export const listImportRows = (
  sql: Queryable,
  { storeId, id }: { storeId: string; id: string },
  status: string | undefined,
  { after, take, descending }: Slice,
) =>
  sql<ImportedRow[]>`select row, status, sku, product_id, error from product_import_rows where store_id = ${storeId} and import_id = ${id}
    ${status === undefined ? sql`` : sql`and status = ${status}`}
    ${after === null ? sql`` : descending ? sql`and row < ${Number(after.id)}` : sql`and row > ${Number(after.id)}`}
    order by row ${descending ? sql`desc` : sql`asc`} limit ${take}`

/** What nobody looks at any more. */
export const forgetImports = (sql: Queryable, days: number) =>
  sql`delete from product_imports where status = 'completed' and completed_at < now() - ${days} * interval '1 day'`

export const findCategoryId = async (sql: Queryable, storeId: string, slug: string) =>
  (await sql<{ id: string }[]>`select id from categories where store_id = ${storeId} and slug = ${slug}`)[0]?.id

/** Slugs of these categories. */
export const categorySlugs = async (sql: Queryable, storeId: string, ids: readonly string[]) =>
  new Map(
    (
      await sql<
        { id: string; slug: string }[]
      >`select id, slug from categories where store_id = ${storeId} and id = any (${ids as string[]})`
    ).map(({ id, slug }) => [id, slug]),
  )
