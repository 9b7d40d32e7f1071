import type { KeysetPage } from '../../data/keyset-page.ts'
import { keyedByProject, projectIdOf, storeIdColumn } from '../../data/project-ids.ts'
import { expectOne, json, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { Actor } from '../../data/tenant-context.ts'
import type { ImportKind, NewImportRow, RowResult, RowStatus } from './imports.model.ts'

/** Store and id of an import. */
export interface ImportKey {
  readonly storeId: string
  readonly id: string
}

/** Row of an import, with the counts of its rows by status. */
export interface ImportRow extends ImportKey {
  readonly kind: ImportKind
  readonly status: 'processing' | 'completed'
  readonly dryRun: boolean
  readonly ignored: string[]
  /** User or API key that started the import; null where it is unknown. */
  readonly actor: Actor | null
  readonly total: number
  readonly created: number
  readonly updated: number
  readonly repeated: number
  readonly failed: number
  readonly createdAt: string
  readonly completedAt: string | null
}

/** Row of a sheet with its result. */
export interface ImportedRow extends Omit<RowResult, 'status'> {
  readonly row: number
  readonly status: RowStatus
  /** Text that identifies the row, such as a sku. */
  readonly name: string | null
}

const countOf = (sql: Queryable, status: RowStatus) =>
  sql`(select count(*)::int from sheet_import_rows r where r.project_id = i.project_id and r.import_id = i.id and r.status = ${status})`

/** Finds an import of a kind, with its counts. Returns undefined where there is none. */
export const findImport = async (sql: Queryable, kind: ImportKind, id: string) =>
  (
    await sql<
      ImportRow[]
    >`select ${storeIdColumn(sql, 'i')}, i.id, i.kind, i.status, i.dry_run, i.ignored, i.actor, i.total, i.created_at, i.completed_at,
      ${countOf(sql, 'created')} as created, ${countOf(sql, 'updated')} as updated, ${countOf(sql, 'repeated')} as repeated,
      ${countOf(sql, 'failed')} as failed from sheet_imports i where i.id = ${id} and i.kind = ${kind}`
  )[0]

/** Counts the imports of a store that are in progress. */
export const countOpenImports = async (sql: Queryable, storeId: string) =>
  expectOne(
    await sql<
      { open: number }[]
    >`select count(*)::int as open from sheet_imports where project_id = ${projectIdOf(storeId)} and status = 'processing'`,
  ).open

/** Inserts an import with the status `processing`. */
export const insertImport = (
  sql: Tx,
  {
    actor,
    ignored,
    ...values
  }: ImportKey & Pick<ImportRow, 'kind' | 'dryRun' | 'total' | 'actor'> & { readonly ignored: readonly string[] },
) =>
  sql`insert into sheet_imports ${rowValues(sql, { ...keyedByProject(values), ignored: [...ignored], status: 'processing', actor }, ['actor'])}`

/** Inserts rows of an import with the status `waiting`. Cuts their names at 80 characters. */
export const insertImportRows = (sql: Tx, { storeId, id }: ImportKey, rows: readonly NewImportRow[]) =>
  sql`insert into sheet_import_rows (project_id, import_id, row, input, name, status)
    select ${projectIdOf(storeId)}, ${id}, (r.value ->> 'row')::int, r.value -> 'input', left(r.value ->> 'name', 80), 'waiting'
    from jsonb_array_elements(${json(sql, rows)}) as r (value)`

/**
 * Locks all imports of the store, so that a later import finds what an earlier one created, and then this import. Returns true where it is
 * still in progress.
 */
export async function lockImport(sql: Tx, { storeId, id }: ImportKey) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`imports ${storeId}`}, 0))`
  return (
    (await sql`select 1 from sheet_imports where project_id = ${projectIdOf(storeId)} and id = ${id} and status = 'processing' for update`)
      .length > 0
  )
}

/** Lists the next rows of an import that have no result yet. */
export const listWaitingRows = (sql: Queryable, { storeId, id }: ImportKey, take: number) =>
  sql<{ row: number; input: unknown }[]>`select row, input from sheet_import_rows
    where project_id = ${projectIdOf(storeId)} and import_id = ${id} and status = 'waiting' order by row limit ${take}`

/** Finds the result of a row. Returns undefined where it has none yet. */
export const findRowResult = async (sql: Queryable, { storeId, id }: ImportKey, number: number) =>
  (
    await sql<RowResult[]>`select status, result_id, error, warnings from sheet_import_rows
      where project_id = ${projectIdOf(storeId)} and import_id = ${id} and row = ${number} and status <> 'waiting'`
  )[0]

/** Records the result of a row and deletes its input. */
export const updateRowResult = (sql: Tx, { storeId, id }: ImportKey, number: number, result: RowResult) =>
  sql`update sheet_import_rows set ${rowValues(sql, { ...result, input: null }, ['error', 'warnings'])}
    where project_id = ${projectIdOf(storeId)} and import_id = ${id} and row = ${number}`

/** Marks an import as completed. */
export const completeImport = (sql: Tx, { storeId, id }: ImportKey) =>
  sql`update sheet_imports set status = 'completed', completed_at = now() where project_id = ${projectIdOf(storeId)} and id = ${id}`

/** Lists the rows of an import with their results, by row number. */
export const listImportRows = (
  sql: Queryable,
  { storeId, id }: ImportKey,
  status: RowStatus | undefined,
  { after, limit: take, isDescending: descending }: KeysetPage,
) =>
  sql<
    ImportedRow[]
  >`select row, status, name, result_id, error, warnings from sheet_import_rows where project_id = ${projectIdOf(storeId)} and import_id = ${id}
    ${status === undefined ? sql`` : sql`and status = ${status}`}
    ${after === null ? sql`` : descending ? sql`and row < ${Number(after.id)}` : sql`and row > ${Number(after.id)}`}
    order by row ${descending ? sql`desc` : sql`asc`} limit ${take}`

/** Deletes imports that were completed more than this number of days ago. */
export const deleteImportsOlderThan = (sql: Queryable, days: number) =>
  sql`delete from sheet_imports where status = 'completed' and completed_at < now() - ${days} * interval '1 day'`
