import {
  instant,
  type NewSpreadsheet,
  present,
  printed,
  type Row,
  readable,
  rows,
  type Spreadsheet,
  type SpreadsheetFile,
  text,
  unreadable,
  webAddress,
  word,
} from 'serai/spreadsheet'
import { callFiles, callSheets } from './api.ts'
import { type Context, LABEL } from './fields.ts'
import { putHeaders } from './headers.ts'
import { tabsIn } from './tabs.ts'

const PAGE = 100
const PAGES_MAX = 10
const NAME_MAX = 1000
const QUERY = "mimeType='application/vnd.google-apps.spreadsheet' and trashed=false"
const FIELDS = 'nextPageToken,files(id,name,modifiedTime,webViewLink)'

/** Lists the files that this server created or the user shared with it, newest first. */
export async function list(context: Context): Promise<SpreadsheetFile[]> {
  const found: SpreadsheetFile[] = []
  let pageToken: string | undefined
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const answer = await fetchFilePage(context, PAGE, pageToken)
    if (!Array.isArray(answer.files)) throw unreadable(LABEL, 'no list of files')
    found.push(...readable(context, rows(answer.files), fileIn))
    pageToken = text(answer.nextPageToken)
    if (pageToken === undefined) break
  }
  return found
}

export const fetchFilePage = (context: Context, pageSize: number, pageToken?: string) =>
  callFiles(context, {
    q: QUERY,
    fields: FIELDS,
    pageSize,
    pageToken,
    orderBy: 'modifiedTime desc',
    supportsAllDrives: true,
    includeItemsFromAllDrives: true,
  })

function fileIn(row: Row): SpreadsheetFile | undefined {
  const id = word(row.id)
  const more = present({ url: webAddress(row.webViewLink), modifiedAt: instant(row.modifiedTime, 'Z') })
  return id === undefined ? undefined : { id, name: printed(String(row.name ?? ''), NAME_MAX), ...more }
}

export async function create(context: Context, { title, tab, headers }: NewSpreadsheet): Promise<Spreadsheet> {
  const made = await callSheets(context, '', {
    method: 'POST',
    json: { properties: { title }, sheets: [{ properties: { title: tab, gridProperties: gridFor(headers.length) } }] },
  })
  const id = word(made.spreadsheetId)
  if (id === undefined) throw unreadable(LABEL, 'no spreadsheet')
  const tabs = tabsIn(made)
  if (headers.length > 0) await putHeaders(context, id, tab, 0, headers)
  return { id, name: title, tabs, ...present({ url: webAddress(made.spreadsheetUrl) }) }
}

/** Size of a new tab: Google's default, and at least one column per header. */
const gridFor = (columns: number) => ({ frozenRowCount: 1, rowCount: 1000, columnCount: Math.max(26, columns) })
