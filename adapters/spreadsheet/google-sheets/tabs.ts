import { AdapterError, isRow, number, printed, type Row, rows, type Sheet, type SheetTab, unreadable } from 'serai/spreadsheet'
import { pathOf } from './a1.ts'
import { callSheets, NO_SUCH_RANGE } from './api.ts'
import { type Context, LABEL } from './fields.ts'

const TITLE_MAX = 500
const FIELDS = 'properties.title,sheets.properties'

/** Lists the tabs with their ids, which survive renaming. The first one's may be 0. */
export function tabsIn({ sheets }: Row): SheetTab[] {
  const found = rows(sheets).flatMap(({ properties }) => {
    const id = isRow(properties) ? number(properties.sheetId) : undefined
    return isRow(properties) && id !== undefined ? [{ id: String(id), title: printed(String(properties.title ?? ''), TITLE_MAX) }] : []
  })
  if (found.length === 0) throw unreadable(LABEL, 'a spreadsheet without tabs')
  return found
}

export const tabs = async (context: Context, spreadsheetId: string): Promise<SheetTab[]> =>
  tabsIn(await callSheets(context, pathOf(spreadsheetId), { query: { fields: FIELDS } }))

/** Tab in its current state. Google refuses a range beyond its rows and columns. */
export interface Tab {
  readonly sheetId: number
  /** Exact title, by which ranges name the tab. */
  readonly title: string
  readonly rows: number
  readonly columns: number
}

async function tabOf(context: Context, { spreadsheetId, tabId }: Sheet): Promise<Tab> {
  const book = await callSheets(context, pathOf(spreadsheetId), { query: { fields: FIELDS } })
  const properties = rows(book.sheets).flatMap((sheet) => (isRow(sheet.properties) ? [sheet.properties] : []))
  const tab = properties.find(({ sheetId }) => String(number(sheetId)) === tabId)
  if (!tab) throw new AdapterError('not_found', 'The tab is not in the spreadsheet any more. Choose another.', { code: 'tab' })
  const { rowCount, columnCount } = isRow(tab.gridProperties) ? tab.gridProperties : {}
  return {
    sheetId: Number(tab.sheetId),
    title: String(tab.title),
    rows: number(rowCount) ?? Number.POSITIVE_INFINITY,
    columns: number(columnCount) ?? Number.POSITIVE_INFINITY,
  }
}

/**
 * Runs `work` with the current tab. Retries with a fresh one when the tab was renamed or shrunk meanwhile, because nothing was written
 * then.
 */
export async function inTab<V>(context: Context, sheet: Sheet, work: (tab: Tab) => Promise<V>): Promise<V> {
  try {
    return await work(await tabOf(context, sheet))
  } catch (error) {
    if (!wasRenamed(error)) throw error
    return work(await tabOf(context, sheet))
  }
}

const wasRenamed = (error: unknown) => error instanceof AdapterError && error.upstream.code === NO_SUCH_RANGE
