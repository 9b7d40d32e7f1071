import { delimiters, readCsv, withoutSeparatorLine } from './csv.ts'
import { unreadable } from './refusals.ts'
import { decodeText } from './text.ts'
import { type Rows, readWorkbook } from './workbook.ts'

const ZIP = [0x50, 0x4b]
/** First bytes of old Excel files, and of new ones with a password. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0]
const PDF = [0x25, 0x50, 0x44, 0x46]

const begins = (bytes: Uint8Array, with_: readonly number[]) => with_.every((byte, at) => bytes[at] === byte)

/** Tells a workbook from a text. */
export const isWorkbook = (bytes: Uint8Array): boolean => begins(bytes, ZIP)

interface CsvTerms {
  /** Characters of a line. */
  readonly lineMax?: number
  /** Chooses among several ways to separate the columns; without it the table is read in each of them. */
  readonly choose?: (text: string, delimiters: readonly string[]) => Promise<string>
}

/**
 * Reads the sheets of a workbook, or of a CSV the one table, once for each way of separating its columns. Throws `sheet_unreadable`, for files of
 * other formats by their name.
 */
export async function readTables(bytes: Uint8Array, rowsMax: number, { lineMax, choose }: CsvTerms = {}): Promise<Rows[]> {
  if (begins(bytes, COMPOUND))
    throw unreadable('The file is protected by a password, or it is an old XLS. Save it as XLSX or CSV, without a password.')
  if (begins(bytes, PDF)) throw unreadable('The file is a PDF. Save the sheet as XLSX or CSV.')
  if (isWorkbook(bytes)) return readWorkbook(bytes, rowsMax)
  const { text, delimiter } = withoutSeparatorLine(decodeText(bytes))
  assertNoPage(text)
  const likely = delimiters.filter((mark) => text.includes(mark))
  const ways = delimiter !== undefined ? [delimiter] : likely.length > 0 ? likely : [',']
  const chosen = choose && ways.length > 1 ? [await choose(text, ways)] : ways
  return Promise.all(chosen.map((way) => readCsv(text, way, rowsMax + 1, lineMax)))
}

const MARKUP = /^\ufeff?\s*<(?:!--|!doctype\s+html|html|head|meta|body|table|style|div|\?xml)/i
const MHTML = /^\ufeff?\s*MIME-Version:/i

/** Many programs save a web page or XML under the name of an Excel file. */
function assertNoPage(text: string) {
  const start = text.slice(0, 2000)
  const save = 'Open it in a spreadsheet program and save it as XLSX or CSV.'
  if (MHTML.test(start)) throw unreadable(`The file is a web page (MHTML) that was saved as .xls. ${save}`)
  if (!MARKUP.test(start)) return
  const isXml = /^\ufeff?\s*<\?xml/i.test(start) && !/<html/i.test(start)
  throw unreadable(`The file is ${isXml ? 'an XML spreadsheet' : 'a web page (HTML)'} that was saved as .xls. ${save}`)
}
