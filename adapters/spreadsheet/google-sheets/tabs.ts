import { AdapterError, isRow, number, printed, type Row, rows, type Sheet, type SheetTab, unreadable } from 'serai/spreadsheet'
import { pathOf } from './a1.ts'
import { callSheets, NO_SUCH_RANGE } from './api.ts'
import { type Context, LABEL } from './fields.ts'

const TITLE_MAX = 500
const FIELDS = 'properties.title,sheets.properties'

/** A tab is known by its number, which stays when it is renamed. The first one's may be 0. */
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

async function titleOf(context: Context, { spreadsheetId, tabId }: Sheet): Promise<string> {
  const book = await callSheets(context, pathOf(spreadsheetId), { query: { fields: FIELDS } })
  const properties = rows(book.sheets).flatMap((sheet) => (isRow(sheet.properties) ? [sheet.properties] : []))
  const tab = properties.find(({ sheetId }) => String(number(sheetId)) === tabId)
  if (!tab) throw new AdapterError('not_found', 'The tab is not in the spreadsheet any more. Choose another.', { code: 'tab' })
  // To the letter: it is what the tab is asked by.
  return String(tab.title)
}

/** Does something to a tab under the title that it has; where that was changed meanwhile, nothing was done, and it is tried under the new one. */
export async function inTab<V>(context: Context, sheet: Sheet, work: (title: string) => Promise<V>): Promise<V> {
  try {
    return await work(await titleOf(context, sheet))
  } catch (error) {
    if (!wasRenamed(error)) throw error
    return work(await titleOf(context, sheet))
  }
}

const wasRenamed = (error: unknown) => error instanceof AdapterError && error.upstream.code === NO_SUCH_RANGE
