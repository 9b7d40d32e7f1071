import { readCsv } from '../../http/table/csv.ts'
import { stripTextMark, unescapeFormula } from '../../http/table/formula-guard.ts'
import { isWorkbook, readTables } from '../../http/table/read-table.ts'
import { unreadableSheet } from '../../http/table/sheet-errors.ts'
import type { TableRows } from '../../http/table/workbook.ts'
import { importErrors } from './imports.errors.ts'
import { columnFinder, type SheetForm } from './sheet-form.ts'

/** Rows of one sheet. */
export const ROWS_MAX = 20_000
/** Rows above the headings, such as a title. */
const ROWS_ABOVE_HEADINGS_MAX = 30
/** Characters of a cell. One more is read, so that the schema refuses a longer cell. */
const CELL_MAX = 20_000
const LINE_MAX = 200_000
/** Characters of a CSV that are sampled to find its delimiter. */
const SAMPLE_CHARS = 64 * 1024
const SHOWN_MAX = 60

/** Filled cells of a row, by column name. */
export type SheetCells = Readonly<Record<string, string>>

/** Row of a parsed sheet. */
export interface SheetRow {
  /** Number of the row, from 1, without the headings; empty rows count. */
  readonly row: number
  readonly cells: SheetCells
  /** True where a cell without a heading has text, as when a separator cuts `2,500` in two. The row cannot be trusted then. */
  readonly isCut: boolean
}

/** Parsed sheet. */
export interface ParsedSheet {
  readonly rows: readonly SheetRow[]
  /** Headings of the columns that were ignored on request. */
  readonly ignored: readonly string[]
}

type FindColumn = (heading: string) => string | undefined

/**
 * Parses the rows of a CSV or XLSX file by its headings. `ignoreUnknown` ignores unknown columns instead of refusing the sheet. Throws
 * `sheet_unreadable`, `sheet_columns_unknown`.
 */
export async function parseSheet(
  file: Uint8Array,
  form: SheetForm,
  { ignoreUnknown }: { readonly ignoreUnknown: boolean },
): Promise<ParsedSheet> {
  const find = columnFinder(form)
  const choose = (text: string, delimiters: readonly string[]) => chooseDelimiter(text, delimiters, find)
  const tables = await readTables(file, ROWS_MAX + ROWS_ABOVE_HEADINGS_MAX + 2, { lineMax: LINE_MAX, choose })
  const table = tables.find((rows) => findHeadingRow(rows, form, find) >= 0) ?? tables.find((rows) => rows.some(isFilled)) ?? []
  const at = Math.max(findHeadingRow(table, form, find), table.findIndex(isFilled), 0)
  const headings = (table[at] ?? []).map((heading) => heading.trim())
  const columns = headings.map(find)
  const ignored = headings.filter((heading, place) => columns[place] === undefined && heading !== '')
  assertColumns(form, headings, columns, { ignoreUnknown })
  // Workbooks have real cells, which no separator can cut.
  const mayCut = !(ignoreUnknown && isWorkbook(file))
  const isCut = (cells: readonly string[]) => mayCut && cells.some((cell, place) => !headings[place] && cell.trim() !== '')
  const numeric = new Set(form.columns.filter(({ isNumeric }) => isNumeric).map(({ name }) => name))
  const rows = table.slice(at + 1).flatMap((cells, below) => {
    const filled = filledCells(cells, columns, numeric)
    return Object.keys(filled).length === 0 ? [] : [{ row: below + 1, cells: filled, isCut: isCut(cells) }]
  })
  if (rows.length === 0) throw unreadableSheet('The sheet has no rows below its headings.')
  if (rows.length > ROWS_MAX) throw unreadableSheet(`A sheet may have at most ${ROWS_MAX} rows. Split it.`)
  return { rows, ignored: ignored.map((heading) => heading.slice(0, SHOWN_MAX)) }
}

const isFilled = (row: readonly string[]) => row.some((cell) => cell.trim() !== '')

/** Finds the index of the first row that has all required columns; -1 where there is none. */
const findHeadingRow = (rows: TableRows, { needs }: SheetForm, find: FindColumn): number =>
  rows.slice(0, ROWS_ABOVE_HEADINGS_MAX).findIndex((row) => {
    const found = new Set(row.map(find))
    return needs.every((names) => names.some((name) => found.has(name)))
  })

/** Chooses the delimiter with which most headings are recognized. */
async function chooseDelimiter(text: string, delimiters: readonly string[], find: FindColumn): Promise<string> {
  const sample = text.slice(0, SAMPLE_CHARS)
  const scored = await Promise.all(
    delimiters.map(async (delimiter) => {
      const rows = await readCsv(sample, delimiter, ROWS_ABOVE_HEADINGS_MAX, LINE_MAX).catch((): TableRows => [])
      return { delimiter, known: Math.max(0, ...rows.map((row) => row.filter((cell) => find(cell.trim()) !== undefined).length)) }
    }),
  )
  const [best] = scored.toSorted((one, other) => other.known - one.known)
  return best?.delimiter ?? ','
}

function filledCells(cells: readonly string[], columns: readonly (string | undefined)[], numeric: ReadonlySet<string>): SheetCells {
  return Object.fromEntries(
    cells.flatMap((cell, place) => {
      const name = columns[place]
      const clean = name === undefined ? '' : cleanCell(cell)
      const text = name !== undefined && numeric.has(name) ? stripTextMark(clean) : clean
      return name === undefined || text === '' ? [] : [[name, text]]
    }),
  )
}

/** Invisible marks of text direction at the ends of a cell. */
const INVISIBLE = /^[\s\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+|[\s\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+$/g

/** Returns a cell without invisible marks and without the `="00123"` that spreadsheets write to keep a text. */
const cleanCell = (cell: string) =>
  unescapeFormula(cell.slice(0, CELL_MAX + 1).replace(INVISIBLE, ''))
    .replace(/^="(.*)"$/s, '$1')
    .replaceAll('\0', '')
    // PostgreSQL cannot store half of a surrogate pair, which the limit may leave.
    .toWellFormed()

function assertColumns(
  form: SheetForm,
  headings: readonly string[],
  columns: readonly (string | undefined)[],
  { ignoreUnknown }: { readonly ignoreUnknown: boolean },
) {
  const names = form.columns.map(({ name }) => name)
  const expected = { subject: form.subject, names: names.join(', ') }
  const unknown = headings.find((heading, at) => columns[at] === undefined && heading !== '')
  if (unknown !== undefined && !ignoreUnknown) throw importErrors.columnUnknown({ ...expected, heading: unknown.slice(0, SHOWN_MAX) })
  const again = columns.findIndex((column, at) => column !== undefined && columns.indexOf(column) < at)
  if (again >= 0)
    throw importErrors.columnRepeated({ ...expected, column: columns[again] ?? '', heading: (headings[again] ?? '').slice(0, SHOWN_MAX) })
  for (const need of form.needs)
    if (!need.some((name) => columns.includes(name))) throw importErrors.columnMissing({ ...expected, needed: need.join(' or ') })
}
