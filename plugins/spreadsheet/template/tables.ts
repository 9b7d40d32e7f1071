import {
  type FoundRow,
  isRow,
  type NewSpreadsheet,
  number,
  type Part,
  printed,
  type ReadRow,
  type Row,
  type Rows,
  rows,
  type Sheet,
  type SheetTab,
  type Spreadsheet,
  type SpreadsheetFile,
  text,
  unreadable,
  type Wanted,
  written,
} from 'serai/spreadsheet'
import { call } from './api.ts'
import { type Context, label } from './fields.ts'

const NAME_MAX = 500
const CELL_MAX = 5_000

const tabPath = ({ spreadsheetId, tabId }: Sheet) => `files/${encodeURIComponent(spreadsheetId)}/tabs/${encodeURIComponent(tabId)}`

function listIn(value: unknown, what: string): unknown[] {
  if (!Array.isArray(value)) throw unreadable(label, `no ${what}`)
  return value
}

const named = ({ id, name }: Row) => (text(id) === undefined ? [] : [{ id: String(id), name: printed(String(name ?? ''), NAME_MAX) }])

/** Lists the files that the account may write. */
export const list = async (context: Context): Promise<SpreadsheetFile[]> => {
  const { files } = await call(context, 'GET', 'files')
  return rows(listIn(files, 'files')).flatMap(named)
}

function fileIn(answer: Row): Spreadsheet {
  const [file] = named(answer)
  if (!file) throw unreadable(label, 'no file')
  return { ...file, tabs: tabsIn(answer) }
}

const tabsIn = ({ tabs }: Row): SheetTab[] =>
  rows(listIn(tabs, 'tabs'))
    .flatMap(named)
    .map(({ id, name }) => ({ id, title: name }))

/** Creates a file with one tab and its headers. */
export const create = async (context: Context, { title, tab, headers }: NewSpreadsheet): Promise<Spreadsheet> =>
  fileIn(await call(context, 'POST', 'files', { json: { name: title, tab, headers } }))

/** Lists the tabs of a file. */
export const tabs = async (context: Context, spreadsheetId: string): Promise<SheetTab[]> =>
  tabsIn(await call(context, 'GET', `files/${encodeURIComponent(spreadsheetId)}`))

const headersIn = ({ headers }: Row): string[] => listIn(headers, 'headers').map(String)

/** Reads the headers of a tab. */
export const headers = async (context: Context, sheet: Sheet): Promise<string[]> =>
  headersIn(await call(context, 'GET', `${tabPath(sheet)}/headers`))

/** Adds the missing headers to a tab, and returns all of them. */
export const writeHeaders = async (context: Context, sheet: Sheet, wanted: readonly string[]): Promise<string[]> =>
  headersIn(await call(context, 'PUT', `${tabPath(sheet)}/headers`, { json: { headers: wanted } }))

/** Appends all rows or none. The platform finds the columns by their headers. */
export async function append(context: Context, sheet: Sheet, wanted: Rows): Promise<void> {
  const answer = await call(context, 'POST', `${tabPath(sheet)}/rows`, { json: wanted })
  if (number(answer.written) !== wanted.rows.length) throw unreadable(label, 'not how many rows were written')
}

/** Finds rows by their keys. */
export async function findRows(context: Context, sheet: Sheet, wanted: Wanted): Promise<FoundRow[]> {
  const { found } = await call(context, 'POST', `${tabPath(sheet)}/find`, { json: wanted })
  return rows(listIn(found, 'rows')).map(({ key, row }) => ({ key: String(key), row: Number(row) }))
}

/** Writes the rows whose keys exist, and returns those keys. */
export async function updateRows(context: Context, sheet: Sheet, wanted: Rows): Promise<string[]> {
  const { keys } = await call(context, 'PATCH', `${tabPath(sheet)}/rows`, { json: wanted })
  return listIn(keys, 'keys').map(String)
}

/** Reads rows by their position, the first row counting as 1. */
export async function read(context: Context, sheet: Sheet, { from, count }: Part): Promise<ReadRow[]> {
  const answer = await call(context, 'GET', `${tabPath(sheet)}/rows`, { query: { from, count } })
  return listIn(answer.rows, 'rows').map((row, at) => {
    const values = isRow(row) ? listIn(row.values, 'values') : []
    return { row: from + at, values: values.map((value) => written(value, CELL_MAX)) }
  })
}
