import type { SheetTarget } from '../../../plugins/spreadsheet/model.ts'
import { storeIdOf } from '../../data/project-ids.ts'
import type { Queryable } from '../../data/sql.ts'
import { countRows, type SheetTargetRow } from './sheets.queries.ts'

/** Returns the API view of a sheet that receives orders, with the counts of its rows. */
export async function presentSheetTarget(sql: Queryable, target: SheetTargetRow): Promise<SheetTarget> {
  const {
    projectId,
    connectionId,
    spreadsheetId,
    tabId,
    keyHeader,
    columns,
    statuses,
    since,
    problem,
    problemSince,
    createdAt,
    updatedAt,
  } = target
  return {
    storeId: storeIdOf(projectId),
    connectionId,
    spreadsheetId,
    tabId,
    keyHeader,
    columns,
    statuses,
    since,
    problem,
    problemSince,
    rows: await countRows(sql, target),
    createdAt,
    updatedAt,
  }
}
