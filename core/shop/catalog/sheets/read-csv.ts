import { ApiError } from '../../../http/errors.ts'
import { type Cells, columnOf, columns, unguarded } from './columns.ts'

export const ROWS_MAX = 20_000
const CELL_MAX = 20_000
const DELIMITERS = [',', ';', '\t'] as const

const unreadable = (why: string) => new ApiError('sheet_unreadable', why)

/** The rows of a CSV with a line of headings. Throws `sheet_unreadable`, `sheet_columns_unknown`. */
export async function readCsv(file: Uint8Array): Promise<Cells[]> {
  const text = textOf(file)
  const { parse } = await import('csv-parse/sync')
  const delimiter = delimiterOf(text)
  let lines: string[][]
  try {
    lines = parse(text, {
      delimiter,
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      to: ROWS_MAX + 2,
      max_record_size: 200_000,
    })
  } catch (error) {
    const line = (error as { lines?: number }).lines
    throw unreadable(`The CSV cannot be read${line ? ` from line ${line} on` : ''}. Save the sheet again as CSV.`)
  }
  const [headings = [], ...rows] = lines
  if (rows.length === 0) throw unreadable('The sheet has no rows below its headings.')
  if (rows.length > ROWS_MAX) throw unreadable(`A sheet may have at most ${ROWS_MAX} rows. Split it.`)
  const known = headings.map((heading) => columnOf(heading.trim()))
  assertHeadings(headings, known)
  return rows.map((row) =>
    Object.fromEntries(row.flatMap((cell, at) => (known[at] === undefined || cell.trim() === '' ? [] : [[known[at], cellOf(cell)]]))),
  )
}

function textOf(file: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file).replaceAll('\0', '')
  } catch {
    throw unreadable('The sheet is not UTF-8. Save it as "CSV UTF-8".')
  }
}

const cellOf = (cell: string) => unguarded(cell.trim()).slice(0, CELL_MAX + 1)

function delimiterOf(text: string): string {
  const [first = ''] = text.split(/\r?\n/, 1)
  const count = (mark: string) => first.split(mark).length
  return DELIMITERS.reduce((best, mark) => (count(mark) > count(best) ? mark : best))
}

function assertHeadings(headings: readonly string[], known: readonly (string | undefined)[]) {
  const refuse = (why: string) => new ApiError('sheet_columns_unknown', `${why} A sheet of products has ${columns.join(', ')}.`)
  const unknown = headings.find((heading, at) => known[at] === undefined && heading.trim() !== '')
  if (unknown !== undefined) throw refuse(`No column is called "${unknown.slice(0, 60)}".`)
  const twice = known.find((column, at) => column !== undefined && known.indexOf(column) < at)
  if (twice !== undefined) throw refuse(`Two columns are called ${twice}.`)
  if (!known.includes('sku') && !known.includes('slug') && !known.includes('name')) throw refuse('It says neither sku nor slug nor name.')
}
