import type { KeysetPage } from '../../data/keyset-page.ts'
import type { Queryable } from '../../data/sql.ts'
import type { ImportKind, RowStatus } from './imports.model.ts'
import { findImport, type ImportKey, type ImportRow, listImportRows } from './imports.queries.ts'

/** Import as the API shows it. */
export type ImportView = Omit<ImportRow, 'kind' | 'actor'>

/** Presents an import, without its kind and actor. */
export const presentImport = ({ kind: _kind, actor: _actor, ...shown }: ImportRow): ImportView => shown

/** Reads an import of a kind with its progress. Returns undefined where there is none. */
export async function readImport(sql: Queryable, kind: ImportKind, id: string): Promise<ImportView | undefined> {
  const found = await findImport(sql, kind, id)
  return found && presentImport(found)
}

/** Reads a page of the rows of an import with their results. */
export const readImportRows = (sql: Queryable, key: ImportKey, status: RowStatus | undefined, slice: KeysetPage) =>
  listImportRows(sql, key, status, slice)
