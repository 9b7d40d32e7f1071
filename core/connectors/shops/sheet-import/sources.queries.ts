import { type Queryable, rowValues, type Tx } from '../../../data/sql.ts'
import type { RowColumn, RowSource } from './rows.model.ts'

export interface SourceRow {
  readonly connectionId: string
  readonly storeId: string
  /** Another where it becomes another tab. */
  readonly generation: string
  /** Null until it is said which. */
  readonly spreadsheetId: string | null
  readonly tabId: string | null
  readonly columns: RowColumn[]
  readonly language: RowSource['language']
  /** The columns that only the server writes in, as they are called there; null until it is said which tab. */
  readonly nameHeader: string | null
  readonly stateHeader: string | null
  /** Rows whose names are older, and none that this store took, are left alone; null where all are taken. */
  readonly namesFrom: string | null
  /** Rows up to this one stood there before; 0 once each of them has its name. */
  readonly oldRows: number
  readonly createdAt: string
  readonly updatedAt: string
}

export const findSource = async (sql: Queryable, connectionId: string) =>
  (await sql<SourceRow[]>`select * from row_sources where connection_id = ${connectionId}`)[0]

/** Which tab of a file of this store gives orders. */
export const findSourceAt = async (sql: Queryable, connectionId: string, spreadsheetId: string, tabId: string) =>
  (
    await sql<
      SourceRow[]
    >`select * from row_sources where connection_id = ${connectionId} and spreadsheet_id = ${spreadsheetId} and tab_id = ${tabId}`
  )[0]

/** A connection whose tab is to be said yet. One that has one keeps it. */
export const insertSource = (sql: Queryable, source: Pick<SourceRow, 'connectionId' | 'storeId' | 'generation'>) =>
  sql`insert into row_sources ${rowValues(sql, source)} on conflict do nothing`

export const putSource = (sql: Tx, source: Omit<SourceRow, 'createdAt' | 'updatedAt'>) =>
  sql`insert into row_sources ${rowValues(sql, source, ['columns'])}
    on conflict (connection_id) do update set generation = excluded.generation, spreadsheet_id = excluded.spreadsheet_id, tab_id = excluded.tab_id,
      columns = excluded.columns, language = excluded.language, name_header = excluded.name_header, state_header = excluded.state_header,
      names_from = excluded.names_from, old_rows = excluded.old_rows, updated_at = now()`

export const markOldNamed = (sql: Queryable, { connectionId, generation }: Pick<SourceRow, 'connectionId' | 'generation'>) =>
  sql`update row_sources set old_rows = 0 where connection_id = ${connectionId} and generation = ${generation} and old_rows > 0`

export const deleteSource = (sql: Tx, connectionId: string) => sql`delete from row_sources where connection_id = ${connectionId}`

/** A store's connections to this spreadsheet that were there once, the last one first. */
export const listEarlier = (sql: Queryable, { storeId, key }: { readonly storeId: string; readonly key: string }) =>
  sql<{ id: string }[]>`select id from integrations where store_id = ${storeId} and key = ${key} and deleted_at is not null
    order by deleted_at desc, id desc`

/** Which of these rows became orders, or wait to. */
export const listTaken = async (sql: Queryable, connectionId: string, names: readonly string[]) =>
  (
    await sql<{ externalId: string }[]>`select external_id from channel_orders
      where connection_id = ${connectionId} and external_id = any (${names as string[]})`
  ).map(({ externalId }) => externalId)
