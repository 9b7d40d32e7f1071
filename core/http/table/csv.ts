import { unreadableSheet } from './sheet-errors.ts'
import type { TableRows } from './workbook.ts'

/** Delimiters that a CSV may use. */
export const delimiters = [';', '\t', ',', '|'] as const

/** Maximum characters of a line. Real sheets stay far below; a longer line would keep the parser busy. */
const LINE_MAX = 64 * 1024

/** CSV text and the delimiter that it declares. */
export interface CsvText {
  readonly text: string
  /** Delimiter from a first line such as `sep=;`, which spreadsheets hide. */
  readonly delimiter?: string
}

const SEPARATOR_LINE = /^\ufeff?"?sep=(?:(.)|\\?t)"?(?:\r\n|\r|\n|$)/iu

/** Removes the line `sep=;` from a CSV and returns its delimiter. */
export function stripSeparatorLine(text: string): CsvText {
  const [line, delimiter] = SEPARATOR_LINE.exec(text.slice(0, 20)) ?? []
  return line === undefined ? { text } : { text: text.slice(line.length), delimiter: delimiter ?? '\t' }
}

/** Parses the rows of a CSV text, up to `rowsMax`. `lineMax`: characters of a line. Throws `sheet_unreadable`. */
export async function readCsv(text: string, delimiter: string, rowsMax: number, lineMax = LINE_MAX): Promise<TableRows> {
  assertLines(text, lineMax)
  // Loads the parser with the first sheet, so that a server without sheets starts faster.
  const { parse } = await import('csv-parse/sync')
  try {
    return parse(text, { delimiter, bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: false, to: rowsMax })
  } catch (error) {
    const line = (error as { lines?: number }).lines
    throw unreadableSheet(
      `The CSV cannot be read${line ? ` from line ${line} on` : ''}: a quotation mark is not closed. Save the sheet again.`,
    )
  }
}

function assertLines(text: string, lineMax: number) {
  for (let from = 0; from < text.length; ) {
    const end = endOfLine(text, from, lineMax)
    if (end - from > lineMax) throw unreadableSheet(`The CSV has a line of more than ${lineMax} characters. Save only the rows that count.`)
    from = end + 1
  }
}

function endOfLine(text: string, from: number, lineMax: number): number {
  const most = Math.min(text.length, from + lineMax + 1)
  for (let at = from; at < most; at += 1) {
    const letter = text.charCodeAt(at)
    if (letter === 10 || letter === 13) return at
  }
  return most
}
