import { projectIdOf } from '../../../data/project-ids.ts'
import { type Queryable, rowValues, type Tx } from '../../../data/sql.ts'
import type { ConnectionRef } from '../../../integrations/connections/connections.model.ts'
import type { RowColumn, RowSource } from './rows.model.ts'

/** Tab whose rows become orders, as it is stored. */
export interface RowSourceRow {
  readonly projectId: string
  readonly connectionId: string
  /** New for each tab. */
  readonly generation: string
  /** Null until the tab is chosen. */
  readonly spreadsheetId: string | null
  readonly tabId: string | null
  readonly columns: RowColumn[]
  readonly language: RowSource['language']
  /** Headers of the columns that only the server writes; null until the tab is chosen. */
  readonly nameHeader: string | null
  readonly stateHeader: string | null
  /** Rows with an id before this one are ignored, unless this store imported them; null if all rows count. */
  readonly namesFrom: string | null
  /** Number of the last row that existed before; 0 once all of these have their id. */
  readonly oldRows: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** Finds the row source of a connection. */
export const findRowSource = async (sql: Queryable, { projectId, id }: ConnectionRef) =>
  (await sql<RowSourceRow[]>`select * from row_sources where project_id = ${projectId} and connection_id = ${id}`)[0]

/** Finds the row source of a connection if it is this tab. */
export const findRowSourceOfTab = async (sql: Queryable, { projectId, id }: ConnectionRef, spreadsheetId: string, tabId: string) =>
  (
    await sql<RowSourceRow[]>`select * from row_sources
      where project_id = ${projectId} and connection_id = ${id} and spreadsheet_id = ${spreadsheetId} and tab_id = ${tabId}`
  )[0]

/** Inserts a row source without a tab. Keeps an existing one. */
export const insertRowSource = (sql: Queryable, source: Pick<RowSourceRow, 'projectId' | 'connectionId' | 'generation'>) =>
  sql`insert into row_sources ${rowValues(sql, source)} on conflict do nothing`

/** Inserts or replaces the row source of a connection. */
export const upsertRowSource = (sql: Tx, source: Omit<RowSourceRow, 'createdAt' | 'updatedAt'>) =>
  sql`insert into row_sources ${rowValues(sql, source, ['columns'])}
    on conflict (project_id, connection_id) do update set generation = excluded.generation, spreadsheet_id = excluded.spreadsheet_id, tab_id = excluded.tab_id,
      columns = excluded.columns, language = excluded.language, name_header = excluded.name_header, state_header = excluded.state_header,
      names_from = excluded.names_from, old_rows = excluded.old_rows, updated_at = now()`

/** Records that all old rows have their id. */
export const markOldRowsNamed = (
  sql: Queryable,
  { projectId, connectionId, generation }: Pick<RowSourceRow, 'projectId' | 'connectionId' | 'generation'>,
) => sql`update row_sources set old_rows = 0
    where project_id = ${projectId} and connection_id = ${connectionId} and generation = ${generation} and old_rows > 0`

/** Deletes the row source of a connection. */
export const deleteRowSource = (sql: Tx, { projectId, id }: ConnectionRef) =>
  sql`delete from row_sources where project_id = ${projectId} and connection_id = ${id}`

/** Lists the store's deleted connections to this spreadsheet, latest first. */
export const listDeletedSheetConnections = (sql: Queryable, { storeId, key }: { readonly storeId: string; readonly key: string }) =>
  sql<{ id: string }[]>`select id from integrations where project_id = ${projectIdOf(storeId)} and key = ${key} and deleted_at is not null
    order by deleted_at desc, id desc`

/** Returns the ids of rows whose orders are stored. */
export const listImportedRows = async (sql: Queryable, { projectId, id }: ConnectionRef, names: readonly string[]) =>
  (
    await sql<{ externalId: string }[]>`select external_id from connector_orders
      where project_id = ${projectId} and connection_id = ${id} and external_id = any (${names as string[]})`
  ).map(({ externalId }) => externalId)
