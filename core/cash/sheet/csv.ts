import { unreadable } from './refusals.ts'
import type { Rows } from './workbook.ts'

export const delimiters = [';', '\t', ',', '|'] as const

/** The rows of a CSV text, up to `rowsMax`. */
export async function readCsv(text: string, delimiter: string, rowsMax: number): Promise<Rows> {
  // Loaded when the first sheet comes: a server that never sees one starts without it.
  const { parse } = await import('csv-parse/sync')
  try {
    return parse(text, { delimiter, bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: false, to: rowsMax })
  } catch (error) {
    const line = (error as { lines?: number }).lines
    throw unreadable(`The CSV cannot be read${line ? ` from line ${line} on` : ''}: a quotation mark is not closed. Save the sheet again.`)
  }
}
