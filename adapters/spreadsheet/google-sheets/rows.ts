import {
  AdapterError,
  type Cell,
  type FoundRow,
  isRow,
  type NewNames,
  number,
  type Part,
  placeOf,
  type ReadRow,
  type Rows,
  type Sheet,
  unreadable,
  type Wanted,
} from 'serai/spreadsheet'
import { columnName, pathOf, range } from './a1.ts'
import { callSheets } from './api.ts'
import { type Context, LABEL } from './fields.ts'
import { headersIn } from './headers.ts'
import { inTab, type Tab } from './tabs.ts'
import { AS_IT_IS, valuesOf } from './values.ts'

const COLUMNS_MAX = 200

/** Appends after the last row of the table that begins in the first cell. */
export const append = (context: Context, sheet: Sheet, wanted: Rows): Promise<void> =>
  inTab(context, sheet, async ({ title }) => {
    const standing = await headersIn(context, sheet.spreadsheetId, title)
    const key = keyIn(standing, wanted.key)
    // Otherwise Google would append to a table that begins elsewhere.
    if (standing[0]?.trim() === '')
      throw new AdapterError('refused', 'The first column of the tab has no header. Give it one.', { code: 'first_column' })
    const places = wanted.columns.map((column) => placeOf(standing, column))
    const values = wanted.rows.map((row) => lineOf(places, row.values, key, row.key))
    const answer = await callSheets(context, `${pathOf(sheet.spreadsheetId, 'values', range(title, 'A1'))}:append`, {
      method: 'POST',
      query: { valueInputOption: AS_IT_IS, insertDataOption: 'INSERT_ROWS' },
      json: { majorDimension: 'ROWS', values },
    })
    const done = isRow(answer.updates) ? number(answer.updates.updatedRows) : undefined
    if (done !== values.length) throw unreadable(LABEL, `of ${values.length} rows, ${done ?? 'an unknown number'} were written`)
  })

export const findRows = (context: Context, { spreadsheetId, ...sheet }: Sheet, { key, keys }: Wanted): Promise<FoundRow[]> =>
  inTab(context, { spreadsheetId, ...sheet }, async (tab) => {
    const place = keyIn(await headersIn(context, spreadsheetId, tab.title), key)
    const found = await placesOf(context, spreadsheetId, tab, place)
    return keys.flatMap((one) => {
      const row = found.get(one)
      return row === undefined ? [] : [{ key: one, row }]
    })
  })

/** Updates rows. Looks up their positions just before, because users sort and insert rows. */
export const updateRows = (context: Context, sheet: Sheet, wanted: Rows): Promise<string[]> =>
  inTab(context, sheet, async (tab) => {
    const { spreadsheetId } = sheet
    const { title } = tab
    const standing = await headersIn(context, spreadsheetId, title)
    const found = await placesOf(context, spreadsheetId, tab, keyIn(standing, wanted.key))
    const places = wanted.columns.map((column) => placeOf(standing, column))
    const there = wanted.rows.filter(({ key }) => found.has(key))
    const data = there.flatMap(({ key, values }) =>
      runsOf(places, values).map(({ at, cells }) => partOf(title, at, found.get(key) ?? 0, cells)),
    )
    if (data.length > 0)
      await callSheets(context, `${pathOf(spreadsheetId, 'values')}:batchUpdate`, {
        method: 'POST',
        json: { valueInputOption: AS_IT_IS, data },
      })
    return there.map(({ key }) => key)
  })

/** Gives keys to rows without one, checked just before. Missing rows get none; returns the keys that were written. */
export const nameRows = (context: Context, sheet: Sheet, { key, rows }: NewNames): Promise<string[]> =>
  inTab(context, sheet, async (tab) => {
    const { spreadsheetId } = sheet
    const { title } = tab
    const place = keyIn(await headersIn(context, spreadsheetId, title), key)
    const names = await columnOf(context, spreadsheetId, tab, place)
    const nameless = rows.filter(({ row }) => (names[row - 2]?.[0] ?? '').trim() === '')
    const without = nameless.filter(({ row }) => row <= tab.rows)
    const data = without.map(({ row, key: name }) => partOf(title, place, row, [name]))
    if (data.length > 0)
      await callSheets(context, `${pathOf(spreadsheetId, 'values')}:batchUpdate`, {
        method: 'POST',
        json: { valueInputOption: AS_IT_IS, data },
      })
    return without.map(({ key: name }) => name)
  })

export const read = (context: Context, sheet: Sheet, { from, count: wanted }: Part): Promise<ReadRow[]> =>
  inTab(context, sheet, async ({ title, rows }) => {
    const count = Math.min(wanted, rows - from + 1)
    if (count < 1) return []
    const table = await valuesOf(context, sheet.spreadsheetId, title, `${from}:${from + count - 1}`)
    return table.map((values, at) => ({ row: from + at, values: values.slice(0, COLUMNS_MAX) }))
  })

function keyIn(standing: readonly string[], key: string): number {
  const place = placeOf(standing, key)
  if (place >= 0) return place
  throw new AdapterError('refused', `The tab has no column "${key}" any more, by which rows are known. Put its header back.`, {
    code: 'key_column',
  })
}

/** Reads a column below its header. */
async function columnOf(context: Context, spreadsheetId: string, { title, rows }: Tab, column: number): Promise<string[][]> {
  const letter = columnName(column)
  return rows < 2 ? [] : valuesOf(context, spreadsheetId, title, `${letter}2:${letter}`)
}

/** Returns the row of each key; the first one if it is repeated. */
async function placesOf(context: Context, spreadsheetId: string, tab: Tab, column: number): Promise<Map<string, number>> {
  const found = await columnOf(context, spreadsheetId, tab, column)
  return new Map(found.map(([cell = ''], at) => [cell.trim(), at + 2] as const).reverse())
}

/** Builds a row from the first column on; unnamed columns stay empty. */
function lineOf(places: readonly number[], values: readonly Cell[], key: number, name: string): Cell[] {
  const line: Cell[] = Array.from({ length: Math.max(key, ...places) + 1 }, () => null)
  for (const [at, place] of places.entries()) if (place >= 0) line[place] = values[at] ?? null
  line[key] = name
  return line
}

interface Run {
  readonly at: number
  readonly cells: Cell[]
}

/** Groups adjacent cells into one write each; cells between them stay unchanged. */
function runsOf(places: readonly number[], values: readonly Cell[]): Run[] {
  const cells = places
    .map((place, at) => ({ place, value: values[at] ?? null }))
    .filter(({ place, value }) => place >= 0 && value !== null)
    .sort((one, other) => one.place - other.place)
  const runs: Run[] = []
  for (const { place, value } of cells) {
    const last = runs.at(-1)
    if (last && last.at + last.cells.length === place) last.cells.push(value)
    else runs.push({ at: place, cells: [value] })
  }
  return runs
}

const partOf = (title: string, column: number, row: number, cells: readonly Cell[]) => ({
  range: range(title, `${columnName(column)}${row}:${columnName(column + cells.length - 1)}${row}`),
  majorDimension: 'ROWS',
  values: [cells],
})
