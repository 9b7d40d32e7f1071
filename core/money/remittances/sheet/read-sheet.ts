import { cellText } from '../../../http/table/decode-text.ts'
import { readTables } from '../../../http/table/read-table.ts'
import { unreadableSheet } from '../../../http/table/sheet-errors.ts'
import type { TableRows } from '../../../http/table/workbook.ts'
import type { DomainError } from '../../../lib/errors/domain-error.ts'
import { invariant } from '../../../lib/invariant.ts'
import { isOtherCurrency } from '../../../lib/money/currency-marks.ts'
import { remittanceErrors } from '../remittances.errors.ts'
import type { NewRemittanceLine } from '../remittances.queries.ts'
import {
  type ColumnPositions,
  describeMissingFields,
  findColumnPositions,
  guessColumnPositions,
  type SheetColumns,
  type SheetField,
} from './columns.ts'
import { parseLines } from './lines.ts'

const SHEET_ROWS_MAX = 20_000
/** Maximum number of rows above the headings, such as titles and logos. */
const ABOVE_MAX = 30
/** Maximum number of rows of a sheet, with those around its parcels. */
export const ROWS_MAX = SHEET_ROWS_MAX + 2 * ABOVE_MAX

/** Options for reading a sheet; `currency` is what the carrier pays in. */
export interface SheetOptions {
  /** Columns sent with this upload. They must all be in the sheet. */
  readonly given?: SheetColumns
  /** Columns saved for the carrier's sheets, used as hints. */
  readonly remembered?: SheetColumns
  readonly currency: string
}

/** Parsed sheet: the heading found for each field, and the lines. */
export interface ParsedSheet {
  readonly columns: SheetColumns
  readonly lines: readonly NewRemittanceLine[]
}

/**
 * Parses a carrier's remittance sheet (CSV or XLSX). Throws `sheet_unreadable` for an unreadable file, another currency or invalid rows,
 * and `sheet_columns_unknown` when required columns cannot be identified.
 */
export async function readSheet(bytes: Uint8Array, options: SheetOptions): Promise<ParsedSheet> {
  const tables = await readTables(bytes, ROWS_MAX)
  const headed = findHeadedRows(tables, options)
  if (!headed) throw unknownColumnsError(tables, options)
  return { columns: columnsOf(headed), lines: readLines(headed, options) }
}

/** Finds the rows whose headings identify the most columns; undefined if no rows have the required ones. */
export function findHeadedRows(tables: readonly TableRows[], options: SheetOptions): HeadedRows | undefined {
  const found = tables.flatMap((rows) => findHeadings(rows, options) ?? [])
  return found.sort((a, b) => Object.keys(b.positions).length - Object.keys(a.positions).length)[0]
}

/** Returns the heading of each field. */
export function columnsOf({ rows, at, positions }: HeadedRows): SheetColumns {
  const headingOf = (column: number) => cellText(invariant(rows[at]?.[column], 'A heading that was found'))
  return Object.fromEntries(Object.entries(positions).map(([field, column]) => [field, headingOf(column)])) as SheetColumns
}

/** Parses the lines below the headings. Throws `sheet_unreadable`. */
export function readLines(headed: HeadedRows, { currency }: SheetOptions): NewRemittanceLine[] {
  const columns = columnsOf(headed)
  for (const field of ['amount', 'fee', 'net'] as const) {
    const heading = columns[field]
    if (heading !== undefined && isOtherCurrency(heading, currency))
      throw unreadableSheet(`"${heading}" is in another currency: the carrier pays in ${currency}.`)
  }
  return parseLines(headed.rows, headed.at, headed.positions, currency, SHEET_ROWS_MAX)
}

/** Rows of a sheet, the index of their headings among them, and the columns that those identify. */
export interface HeadedRows {
  readonly rows: TableRows
  readonly at: number
  readonly positions: ColumnPositions
}

/** Finds the first row whose headings identify the required columns. */
function findHeadings(rows: TableRows, { given, remembered }: SheetOptions): HeadedRows | undefined {
  const isWhole = (positions: ColumnPositions, columns: SheetColumns) => Object.keys(positions).length === Object.keys(columns).length
  const named = (columns: SheetColumns) => (row: readonly string[]) => {
    const positions = findColumnPositions(row, columns)
    return isWhole(positions, columns) ? positions : undefined
  }
  // Saved columns that are still in the sheet win over guesses from the headings.
  const suggested = (row: readonly string[]) => {
    const savedPositions = remembered ? findColumnPositions(row, remembered) : {}
    const isFree = ([, at]: [string, number]) => !Object.values(savedPositions).includes(at)
    return { ...Object.fromEntries(Object.entries(guessColumnPositions(row)).filter(isFree)), ...savedPositions } as ColumnPositions
  }
  const strategies = given ? [named(given)] : [...(remembered ? [named(remembered)] : []), suggested]
  for (const positionsOf of strategies) {
    for (const [at, row] of rows.slice(0, ABOVE_MAX).entries()) {
      const positions = positionsOf(row)
      if (positions && describeMissingFields(positions).length === 0) return { rows, at, positions }
    }
  }
  return undefined
}

/** Finds the row that looks most like headings: the first of those with the most filled cells. */
export function findLikelyHeadings(tables: readonly TableRows[], { given }: SheetOptions): HeadedRows {
  const candidates = tables.flatMap((rows) => rows.slice(0, ABOVE_MAX).map((row, at) => ({ rows, at, filled: filledCells(row).length })))
  const { rows, at } = candidates.reduce((best, row) => (row.filled > best.filled ? row : best), {
    rows: [[]] as TableRows,
    at: 0,
    filled: 0,
  })
  const widest = rows[at] ?? []
  return { rows, at, positions: given ? findColumnPositions(widest, given) : guessColumnPositions(widest) }
}

/** Builds the error for a sheet without the required columns. It lists the columns, those understood, and those that are missing. */
export function unknownColumnsError(tables: readonly TableRows[], options: SheetOptions): DomainError {
  const { given } = options
  const { rows, at, positions } = findLikelyHeadings(tables, options)
  const widest = rows[at] ?? []
  const understood = (Object.entries(positions) as [SheetField, number][]).map(([field, column]) => `${field} = "${widest[column]}"`)
  const absent = Object.entries(given ?? {}).filter(([field]) => positions[field as SheetField] === undefined)
  const missing = [...absent.map(([field, heading]) => `a heading "${heading}" (${field})`), ...describeMissingFields(given ?? positions)]
  return remittanceErrors.columnsUnknown({
    issues: [
      {
        isOutside: true as const,
        field: ['file'],
        message: `The columns are: ${filledCells(widest).slice(0, 40).join(', ') || 'none'}.`,
      },
      ...(understood.length > 0 ? [{ isOutside: true as const, field: ['file'], message: `Understood: ${understood.join(', ')}.` }] : []),
      ...missing.map((what) => ({ field: ['columns'], message: `Missing: ${what}.` })),
    ],
  })
}

const filledCells = (row: readonly string[]) => row.map((cell) => cell.trim().slice(0, 60)).filter(Boolean)
