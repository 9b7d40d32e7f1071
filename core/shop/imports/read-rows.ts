import { ApiError } from '../../http/errors/errors.ts'
import { readCsv } from '../../http/table/csv.ts'
import { unguarded } from '../../http/table/formula-guard.ts'
import { isWorkbook, readTables } from '../../http/table/read-table.ts'
import { unreadable } from '../../http/table/refusals.ts'
import type { Rows } from '../../http/table/workbook.ts'
import { columnFinder, type SheetForm } from './sheet-form.ts'

export const ROWS_MAX = 20_000
/** Rows that may stand above the headings, such as a title. */
const ABOVE_MAX = 30
/** Characters of a cell; one more is kept, so that a schema refuses it. */
const CELL_MAX = 20_000
const LINE_MAX = 200_000
/** Characters of a CSV that are looked at to find what separates its columns. */
const SAMPLE_CHARS = 64 * 1024
const SHOWN_MAX = 60

export type Cells = Readonly<Record<string, string>>

export interface SheetRow {
  /** From 1, headings not counted; empty rows count. */
  readonly row: number
  readonly cells: Cells
  /** Whether something stands under no heading, as where `2,500` was cut in two: nobody knows what the row says. */
  readonly isCut: boolean
}

export interface ReadSheet {
  readonly rows: readonly SheetRow[]
  /** Headings of columns that are left out, where that was asked for. */
  readonly ignored: readonly string[]
}

type Find = (heading: string) => string | undefined

/**
 * Reads the rows of a CSV or XLSX file by its headings. `ignoreUnknown`: leaves columns out that nobody knows. Throws `sheet_unreadable`,
 * `sheet_columns_unknown`.
 */
export async function readRows(file: Uint8Array, form: SheetForm, ignoreUnknown: boolean): Promise<ReadSheet> {
  const find = columnFinder(form)
  const choose = (text: string, delimiters: readonly string[]) => likeliest(text, delimiters, find)
  const tables = await readTables(file, ROWS_MAX + ABOVE_MAX + 2, { lineMax: LINE_MAX, choose })
  const table = tables.find((rows) => headingRow(rows, form, find) >= 0) ?? tables.find((rows) => rows.some(isFilled)) ?? []
  const at = Math.max(headingRow(table, form, find), table.findIndex(isFilled), 0)
  const headings = (table[at] ?? []).map((heading) => heading.trim())
  const columns = headings.map(find)
  const ignored = headings.filter((heading, place) => columns[place] === undefined && heading !== '')
  assertColumns(form, headings, columns, ignoreUnknown)
  // The cells of a workbook cannot be cut.
  const mayCut = !(ignoreUnknown && isWorkbook(file))
  const isCut = (cells: readonly string[]) => mayCut && cells.some((cell, place) => !headings[place] && cell.trim() !== '')
  const rows = table.slice(at + 1).flatMap((cells, below) => {
    const filled = filledCells(cells, columns)
    return Object.keys(filled).length === 0 ? [] : [{ row: below + 1, cells: filled, isCut: isCut(cells) }]
  })
  if (rows.length === 0) throw unreadable('The sheet has no rows below its headings.')
  if (rows.length > ROWS_MAX) throw unreadable(`A sheet may have at most ${ROWS_MAX} rows. Split it.`)
  return { rows, ignored: ignored.map((heading) => heading.slice(0, SHOWN_MAX)) }
}

const isFilled = (row: readonly string[]) => row.some((cell) => cell.trim() !== '')

/** Finds the first row that has all columns that a sheet needs; -1 where there is none. */
const headingRow = (rows: Rows, { needs }: SheetForm, find: Find): number =>
  rows.slice(0, ABOVE_MAX).findIndex((row) => {
    const found = new Set(row.map(find))
    return needs.every((names) => names.some((name) => found.has(name)))
  })

/** Chooses the separator by which most headings are known. */
async function likeliest(text: string, delimiters: readonly string[], find: Find): Promise<string> {
  const sample = text.slice(0, SAMPLE_CHARS)
  const scored = await Promise.all(
    delimiters.map(async (delimiter) => {
      const rows = await readCsv(sample, delimiter, ABOVE_MAX, LINE_MAX).catch((): Rows => [])
      return { delimiter, known: Math.max(0, ...rows.map((row) => row.filter((cell) => find(cell.trim()) !== undefined).length)) }
    }),
  )
  const [best] = scored.toSorted((one, other) => other.known - one.known)
  return best?.delimiter ?? ','
}

function filledCells(cells: readonly string[], columns: readonly (string | undefined)[]): Cells {
  return Object.fromEntries(
    cells.flatMap((cell, place) => {
      const name = columns[place]
      const text = name === undefined ? '' : cellOf(cell)
      return name === undefined || text === '' ? [] : [[name, text]]
    }),
  )
}

/** Marks of direction and order, which nobody sees. */
const UNSEEN = /^[\s\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+|[\s\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+$/g

/** Returns a cell without what spreadsheets write around a text so that it stays one: `="00123"`. */
const cellOf = (cell: string) =>
  unguarded(cell.slice(0, CELL_MAX + 1).replace(UNSEEN, ''))
    .replace(/^="(.*)"$/s, '$1')
    .replaceAll('\0', '')
    // Half a character, as where one is cut by the limit, cannot be kept.
    .toWellFormed()

function assertColumns(form: SheetForm, headings: readonly string[], columns: readonly (string | undefined)[], ignoreUnknown: boolean) {
  const names = form.columns.map(({ name }) => name)
  const refuse = (why: string) =>
    new ApiError(
      'sheet_columns_unknown',
      `${why} A sheet of ${form.subject} has ${names.join(', ')}; GET …/imports/columns tells their headings.`,
    )
  const unknown = headings.find((heading, at) => columns[at] === undefined && heading !== '')
  if (unknown !== undefined && !ignoreUnknown)
    throw refuse(`No column is called "${unknown.slice(0, SHOWN_MAX)}". Send ignoreUnknown=true to leave such columns out.`)
  const again = columns.findIndex((column, at) => column !== undefined && columns.indexOf(column) < at)
  if (again >= 0) throw refuse(`Two columns are called ${columns[again]}: the second is "${(headings[again] ?? '').slice(0, SHOWN_MAX)}".`)
  for (const need of form.needs) if (!need.some((name) => columns.includes(name))) throw refuse(`It has no column ${need.join(' or ')}.`)
}
