import { cellText } from '../../../http/table/decode-text.ts'
import { readTables } from '../../../http/table/read-table.ts'
import { DomainError } from '../../../lib/errors/domain-error.ts'
import type { NewRemittanceLine } from '../remittances.queries.ts'
import type { SheetColumns } from './columns.ts'
import {
  columnsOf,
  findHeadedRows,
  findLikelyHeadings,
  type HeadedRows,
  ROWS_MAX,
  readLines,
  type SheetOptions,
  unknownColumnsError,
} from './read-sheet.ts'
import { refusalOf, type SheetRefusal } from './refusal.ts'

/** Maximum numbers of rows and columns to show, and of characters of a cell. */
const SAMPLE_ROWS = 3
const COLUMNS_MAX = 60
const CELL_MAX = 120

/** Remittance sheet as people look at it before they import it. */
export interface InspectedSheet {
  /** Cells of the row of headings, and of the first rows below it that are not empty. */
  readonly headings: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Heading that was understood for each field. */
  readonly columns: SheetColumns
  /** Lines of the sheet, or the reason why they cannot be read. */
  readonly lines: readonly NewRemittanceLine[]
  readonly problem: SheetRefusal | null
}

/**
 * Reads a remittance sheet as far as possible: with unknown columns or invalid rows too. Throws `sheet_unreadable` for a file that is no
 * table.
 */
export async function inspectSheet(bytes: Uint8Array, options: SheetOptions): Promise<InspectedSheet> {
  const tables = await readTables(bytes, ROWS_MAX)
  const headed = findHeadedRows(tables, options)
  const shown = headed ?? findLikelyHeadings(tables, options)
  const sample = { ...sampleOf(shown), columns: columnsOf(shown) }
  if (!headed) return { ...sample, lines: [], problem: refusalOf(unknownColumnsError(tables, options)) }
  try {
    return { ...sample, lines: readLines(headed, options), problem: null }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { ...sample, lines: [], problem: refusalOf(error) }
  }
}

function sampleOf({ rows, at }: HeadedRows): Pick<InspectedSheet, 'headings' | 'rows'> {
  const shorten = (row: readonly string[]) => row.slice(0, COLUMNS_MAX).map((cell) => cellText(cell).slice(0, CELL_MAX))
  const below: (readonly string[])[] = []
  for (let next = at + 1; next < rows.length && below.length < SAMPLE_ROWS; next += 1) {
    const cells = shorten(rows[next] ?? [])
    if (cells.some(Boolean)) below.push(cells)
  }
  return { headings: shorten(rows[at] ?? []), rows: below }
}
