import { ApiError } from '../../../http/errors/errors.ts'
import { readTables } from '../../../http/table/read-table.ts'
import { unreadable } from '../../../http/table/refusals.ts'
import type { Rows } from '../../../http/table/workbook.ts'
import { invariant } from '../../../lib/invariant.ts'
import { isOtherCurrency } from '../../../lib/money/currency-marks.ts'
import type { NewLine } from '../remittances.queries.ts'
import { givenPositions, guessPositions, lacking, type Positions, type SheetColumns, type SheetField } from './columns.ts'
import { readLines } from './lines.ts'

const SHEET_ROWS_MAX = 20_000
/** Titles and logos stand above the headings. */
const ABOVE_MAX = 30
const ROWS_MAX = SHEET_ROWS_MAX + 2 * ABOVE_MAX

export interface SheetOptions {
  /** What somebody says now of this sheet. */
  readonly given?: SheetColumns
  /** What somebody said before of the carrier's sheets. */
  readonly remembered?: SheetColumns
  readonly currency: string
}

export interface Sheet {
  readonly columns: SheetColumns
  readonly lines: readonly NewLine[]
}

/**
 * Reads a carrier's payout sheet, CSV or XLSX. Throws `sheet_unreadable` for a file that is none and for rows that cannot be taken,
 * by number, and `sheet_columns_unknown` where its columns cannot be told apart.
 */
export async function readSheet(bytes: Uint8Array, options: SheetOptions): Promise<Sheet> {
  const tables = await readTables(bytes, ROWS_MAX)
  const found = tables.flatMap((rows) => headedBy(rows, options) ?? [])
  const [best] = found.sort((a, b) => Object.keys(b.positions).length - Object.keys(a.positions).length)
  if (!best) throw columnsUnknown(tables, options)
  const { rows, at, positions } = best
  const headingOf = (column: number) => invariant(rows[at]?.[column], 'A heading that was found').trim()
  const columns = Object.fromEntries(Object.entries(positions).map(([field, column]) => [field, headingOf(column)])) as SheetColumns
  for (const field of ['amount', 'fee', 'net'] as const) {
    const heading = columns[field]
    if (heading !== undefined && isOtherCurrency(heading, options.currency))
      throw unreadable(`"${heading}" is in another currency: the carrier pays in ${options.currency}.`)
  }
  return { columns, lines: readLines(rows, at, positions, options.currency, SHEET_ROWS_MAX) }
}

interface Headed {
  readonly rows: Rows
  readonly at: number
  readonly positions: Positions
}

/** The first row that says what the columns are. */
function headedBy(rows: Rows, { given, remembered }: SheetOptions): Headed | undefined {
  const isWhole = (positions: Positions, columns: SheetColumns) => Object.keys(positions).length === Object.keys(columns).length
  const named = (columns: SheetColumns) => (row: readonly string[]) => {
    const positions = givenPositions(row, columns)
    return isWhole(positions, columns) ? positions : undefined
  }
  // Of what was said before, what still stands there goes before what the names suggest.
  const suggested = (row: readonly string[]) => {
    const said = remembered ? givenPositions(row, remembered) : {}
    const isFree = ([, at]: [string, number]) => !Object.values(said).includes(at)
    return { ...Object.fromEntries(Object.entries(guessPositions(row)).filter(isFree)), ...said } as Positions
  }
  const ways = given ? [named(given)] : [...(remembered ? [named(remembered)] : []), suggested]
  for (const positionsOf of ways) {
    for (const [at, row] of rows.slice(0, ABOVE_MAX).entries()) {
      const positions = positionsOf(row)
      if (positions && lacking(positions).length === 0) return { rows, at, positions }
    }
  }
  return undefined
}

function columnsUnknown(tables: readonly Rows[], { given }: SheetOptions): ApiError {
  const rows = tables.flatMap((table) => table.slice(0, ABOVE_MAX))
  const widest = rows.reduce((best, row) => (filled(row).length > filled(best).length ? row : best), [])
  const positions = given ? givenPositions(widest, given) : guessPositions(widest)
  const understood = (Object.entries(positions) as [SheetField, number][]).map(([field, at]) => `${field} = "${widest[at]}"`)
  const absent = Object.entries(given ?? {}).filter(([field]) => positions[field as SheetField] === undefined)
  const missing = [...absent.map(([field, heading]) => `a heading "${heading}" (${field})`), ...lacking(given ?? positions)]
  return new ApiError(
    'sheet_columns_unknown',
    'Which column of the sheet is what could not be told; see details. Say it in columns, as {"tracking": "its heading", "amount": "its heading"}.',
    {
      details: [
        { path: '/file', message: `The columns are: ${filled(widest).slice(0, 40).join(', ') || 'none'}.` },
        ...(understood.length > 0 ? [{ path: '/file', message: `Understood: ${understood.join(', ')}.` }] : []),
        ...missing.map((what) => ({ path: '/body/columns', message: `Missing: ${what}.` })),
      ],
    },
  )
}

const filled = (row: readonly string[]) => row.map((cell) => cell.trim().slice(0, 60)).filter(Boolean)
