import { AdapterError, beginning, placeOf, type Sheet } from 'serai/spreadsheet'
import { columnName, pathOf, range } from './a1.ts'
import { callSheets } from './api.ts'
import type { Context } from './fields.ts'
import { inTab, type Tab } from './tabs.ts'
import { AS_IT_IS, valuesOf } from './values.ts'

const COLUMNS_MAX = 200
const HEADER_MAX = 200

/** Reads the first row; empty if it is. */
export async function headersIn(context: Context, spreadsheetId: string, title: string): Promise<string[]> {
  const [first = []] = await valuesOf(context, spreadsheetId, title, '1:1')
  return first.slice(0, COLUMNS_MAX).map((header) => beginning(header, HEADER_MAX))
}

export const headers = (context: Context, sheet: Sheet): Promise<string[]> =>
  inTab(context, sheet, ({ title }) => headersIn(context, sheet.spreadsheetId, title))

export const writeHeaders = (context: Context, sheet: Sheet, wanted: readonly string[]): Promise<string[]> =>
  inTab(context, sheet, async (tab) => {
    const { title } = tab
    const standing = await headersIn(context, sheet.spreadsheetId, title)
    const lacking = wanted.filter((header) => placeOf(standing, header) < 0)
    if (lacking.length === 0) return standing
    if (standing.length + lacking.length > COLUMNS_MAX)
      throw new AdapterError('refused', `The tab has ${standing.length} columns, and takes no more than ${COLUMNS_MAX}.`, {
        code: 'columns',
      })
    await makeRoom(context, sheet.spreadsheetId, tab, standing.length + lacking.length)
    await putHeaders(context, sheet.spreadsheetId, title, standing.length, lacking)
    return [...standing, ...lacking]
  })

async function makeRoom(context: Context, spreadsheetId: string, { sheetId, columns }: Tab, wanted: number): Promise<void> {
  if (wanted <= columns) return
  const appendDimension = { sheetId, dimension: 'COLUMNS', length: wanted - columns }
  await callSheets(context, `${pathOf(spreadsheetId)}:batchUpdate`, { method: 'POST', json: { requests: [{ appendDimension }] } })
}

export async function putHeaders(
  context: Context,
  spreadsheetId: string,
  title: string,
  at: number,
  wanted: readonly string[],
): Promise<void> {
  const place = range(title, `${columnName(at)}1:${columnName(at + wanted.length - 1)}1`)
  await callSheets(context, pathOf(spreadsheetId, 'values', place), {
    method: 'PUT',
    query: { valueInputOption: AS_IT_IS },
    json: { range: place, majorDimension: 'ROWS', values: [wanted] },
  })
}
