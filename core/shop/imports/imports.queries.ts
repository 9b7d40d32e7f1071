import type { KeysetPage } from '../../data/keyset-page.ts'
import { expectOne, json, type Queryable, row, type Tx } from '../../data/sql.ts'
import type { Actor } from '../../data/tenant-context.ts'
import type { ImportKind, NewRow, RowResult, RowStatus } from './imports.model.ts'

export interface ImportKey {
  readonly storeId: string
  readonly id: string
}

export interface ImportRow extends ImportKey {
  readonly kind: ImportKind
  readonly status: 'processing' | 'completed'
  readonly dryRun: boolean
  readonly ignored: string[]
  /** Who asked for it; null where nobody is known. */
  readonly actor: Actor | null
  readonly total: number
  readonly created: number
  readonly updated: number
  readonly repeated: number
  readonly failed: number
  readonly createdAt: string
  readonly completedAt: string | null
}

export interface ImportedRow extends Omit<RowResult, 'status'> {
  readonly row: number
  readonly status: RowStatus
  /** What the row is known by, such as a sku. */
  readonly name: string | null
}

const counted = (sql: Queryable, status: RowStatus) =>
  sql`(select count(*)::int from sheet_import_rows r where r.store_id = i.store_id and r.import_id = i.id and r.status = ${status})`

export const findImport = async (sql: Queryable, kind: ImportKind, id: string) =>
  (
    await sql<ImportRow[]>`select i.store_id, i.id, i.kind, i.status, i.dry_run, i.ignored, i.actor, i.total, i.created_at, i.completed_at,
      ${counted(sql, 'created')} as created, ${counted(sql, 'updated')} as updated, ${counted(sql, 'repeated')} as repeated,
      ${counted(sql, 'failed')} as failed from sheet_imports i where i.id = ${id} and i.kind = ${kind}`
  )[0]

/** Counts the sheets of a store that are still being worked on. */
export const countOpenImports = async (sql: Queryable, storeId: string) =>
  expectOne(
    await sql<{ open: number }[]>`select count(*)::int as open from sheet_imports where store_id = ${storeId} and status = 'processing'`,
  ).open

export const insertImport = (
  sql: Tx,
  {
    actor,
    ignored,
    ...values
  }: ImportKey & Pick<ImportRow, 'kind' | 'dryRun' | 'total' | 'actor'> & { readonly ignored: readonly string[] },
) => sql`insert into sheet_imports ${row(sql, { ...values, ignored: [...ignored], status: 'processing', actor }, ['actor'])}`

export const insertImportRows = (sql: Tx, { storeId, id }: ImportKey, rows: readonly NewRow[]) =>
  sql`insert into sheet_import_rows (store_id, import_id, row, input, name, status)
    select ${storeId}, ${id}, (r.value ->> 'row')::int, r.value -> 'input', left(r.value ->> 'name', 80), 'waiting'
    from jsonb_array_elements(${json(sql, rows)}) as r (value)`

/** Locks all sheets of the store and this one: of two that would make the same thing, the later one finds it. Returns whether there is work. */
export async function lockImport(sql: Tx, { storeId, id }: ImportKey) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`imports ${storeId}`}, 0))`
  return (await sql`select 1 from sheet_imports where store_id = ${storeId} and id = ${id} and status = 'processing' for update`).length > 0
}

export const waitingRows = (sql: Queryable, { storeId, id }: ImportKey, take: number) =>
  sql<{ row: number; input: unknown }[]>`select row, input from sheet_import_rows
    where store_id = ${storeId} and import_id = ${id} and status = 'waiting' order by row limit ${take}`

export const findRowResult = async (sql: Queryable, { storeId, id }: ImportKey, number: number) =>
  (
    await sql<RowResult[]>`select status, result_id, error from sheet_import_rows
      where store_id = ${storeId} and import_id = ${id} and row = ${number} and status <> 'waiting'`
  )[0]

export const settleImportRow = (sql: Tx, { storeId, id }: ImportKey, number: number, result: RowResult) =>
  sql`update sheet_import_rows set ${row(sql, { ...result, input: null }, ['error'])}
    where store_id = ${storeId} and import_id = ${id} and row = ${number}`

export const completeImport = (sql: Tx, { storeId, id }: ImportKey) =>
  sql`update sheet_imports set status = 'completed', completed_at = now() where store_id = ${storeId} and id = ${id}`

export const listImportRows = (
  sql: Queryable,
  { storeId, id }: ImportKey,
  status: RowStatus | undefined,
  { after, take, descending }: KeysetPage,
) =>
  sql<ImportedRow[]>`select row, status, name, result_id, error from sheet_import_rows where store_id = ${storeId} and import_id = ${id}
    ${status === undefined ? sql`` : sql`and status = ${status}`}
    ${after === null ? sql`` : descending ? sql`and row < ${Number(after.id)}` : sql`and row > ${Number(after.id)}`}
    order by row ${descending ? sql`desc` : sql`asc`} limit ${take}`

/** Forgets imports that nobody looks at any more. */
export const forgetImports = (sql: Queryable, days: number) =>
  sql`delete from sheet_imports where status = 'completed' and completed_at < now() - ${days} * interval '1 day'`
