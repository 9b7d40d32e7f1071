import type { SheetTarget } from '../../../plugins/spreadsheet/model.ts'
import type { Queryable } from '../../data/sql.ts'
import { countRows, type TargetRow } from './sheets.queries.ts'

/** Where the orders of a store go, as it may see it, with how far that is. */
export async function present(sql: Queryable, target: TargetRow): Promise<SheetTarget> {
  const { connectionId, storeId, spreadsheetId, tabId, keyHeader, columns, statuses, since, problem, problemSince, createdAt, updatedAt } =
    target
  return {
    storeId,
    connectionId,
    spreadsheetId,
    tabId,
    keyHeader,
    columns,
    statuses,
    since,
    problem,
    problemSince,
    rows: await countRows(sql, connectionId),
    createdAt,
    updatedAt,
  }
}
