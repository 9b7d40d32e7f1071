import { unreadable } from './refusals.ts'
import type { Rows } from './workbook.ts'

export const delimiters = [';', '\t', ',', '|'] as const

/** No payout's row comes near; what has more is made to keep the reader busy. */
const LINE_MAX = 64 * 1024

/** The rows of a CSV text, up to `rowsMax`. */
export async function readCsv(text: string, delimiter: string, rowsMax: number): Promise<Rows> {
  assertLines(text)
  // Loaded when the first sheet comes: a server that never sees one starts without it.
  const { parse } = await import('csv-parse/sync')
  try {
    return parse(text, { delimiter, bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: false, to: rowsMax })
  } catch (error) {
    const line = (error as { lines?: number }).lines
    throw unreadable(`The CSV cannot be read${line ? ` from line ${line} on` : ''}: a quotation mark is not closed. Save the sheet again.`)
  }
}

function assertLines(text: string) {
  for (let from = 0; from < text.length; ) {
    const end = endOfLine(text, from)
    if (end - from > LINE_MAX) throw unreadable(`The CSV has a line of more than ${LINE_MAX} characters. Save only the rows of parcels.`)
    from = end + 1
  }
}

function endOfLine(text: string, from: number): number {
  const most = Math.min(text.length, from + LINE_MAX + 1)
  for (let at = from; at < most; at += 1) {
    const letter = text.charCodeAt(at)
    if (letter === 10 || letter === 13) return at
  }
  return most
}
