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
const ROWS_MAX = SHEET_ROWS_MAX + 2 * ABOVE_MAX

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
  const found = tables.flatMap((rows) => findHeadings(rows, options) ?? [])
  const [best] = found.sort((a, b) => Object.keys(b.positions).length - Object.keys(a.positions).length)
  if (!best) throw unknownColumnsError(tables, options)
  const { rows, at, positions } = best
  const headingOf = (column: number) => invariant(rows[at]?.[column], 'A heading that was found').trim()
  const columns = Object.fromEntries(Object.entries(positions).map(([field, column]) => [field, headingOf(column)])) as SheetColumns
  for (const field of ['amount', 'fee', 'net'] as const) {
    const heading = columns[field]
    if (heading !== undefined && isOtherCurrency(heading, options.currency))
      throw unreadableSheet(`"${heading}" is in another currency: the carrier pays in ${options.currency}.`)
  }
  return { columns, lines: parseLines(rows, at, positions, options.currency, SHEET_ROWS_MAX) }
}

interface HeadedRows {
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

function unknownColumnsError(tables: readonly TableRows[], { given }: SheetOptions): DomainError {
  const rows = tables.flatMap((table) => table.slice(0, ABOVE_MAX))
  const widest = rows.reduce((best, row) => (filledCells(row).length > filledCells(best).length ? row : best), [])
  const positions = given ? findColumnPositions(widest, given) : guessColumnPositions(widest)
  const understood = (Object.entries(positions) as [SheetField, number][]).map(([field, at]) => `${field} = "${widest[at]}"`)
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
