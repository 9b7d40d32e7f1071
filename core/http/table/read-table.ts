import { delimiters, readCsv, stripSeparatorLine } from './csv.ts'
import { decodeText } from './decode-text.ts'
import { unreadableSheet } from './sheet-errors.ts'
import { readWorkbook, type TableRows } from './workbook.ts'

const ZIP = [0x50, 0x4b]
/** First bytes of old Excel files, and of new ones with a password. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0]
const PDF = [0x25, 0x50, 0x44, 0x46]

const startsWith = (bytes: Uint8Array, with_: readonly number[]) => with_.every((byte, at) => bytes[at] === byte)

/** Returns true if the file is a workbook (XLSX) and not a text. */
export const isWorkbook = (bytes: Uint8Array): boolean => startsWith(bytes, ZIP)

interface CsvOptions {
  /** Characters of a line. */
  readonly lineMax?: number
  /** Chooses one of several likely delimiters. Without it, the table is parsed with each. */
  readonly choose?: (text: string, delimiters: readonly string[]) => Promise<string>
}

/**
 * Parses the sheets of a workbook, or the table of a CSV once per likely delimiter. Throws `sheet_unreadable`, which names the format of
 * unsupported files.
 */
export async function readTables(bytes: Uint8Array, rowsMax: number, { lineMax, choose }: CsvOptions = {}): Promise<TableRows[]> {
  if (startsWith(bytes, COMPOUND))
    throw unreadableSheet('The file is protected by a password, or it is an old XLS. Save it as XLSX or CSV, without a password.')
  if (startsWith(bytes, PDF)) throw unreadableSheet('The file is a PDF. Save the sheet as XLSX or CSV.')
  if (isWorkbook(bytes)) return readWorkbook(bytes, rowsMax)
  const { text, delimiter } = stripSeparatorLine(decodeText(bytes))
  rejectMarkup(text)
  const likely = delimiters.filter((mark) => text.includes(mark))
  const candidates = delimiter !== undefined ? [delimiter] : likely.length > 0 ? likely : [',']
  const chosen = choose && candidates.length > 1 ? [await choose(text, candidates)] : candidates
  return Promise.all(chosen.map((candidate) => readCsv(text, candidate, rowsMax + 1, lineMax)))
}

const MARKUP = /^\ufeff?\s*<(?:!--|!doctype\s+html|html|head|meta|body|table|style|div|\?xml)/i
const MHTML = /^\ufeff?\s*MIME-Version:/i

/** Rejects web pages and XML, which many programs save under the name of an Excel file. */
function rejectMarkup(text: string) {
  const start = text.slice(0, 2000)
  const save = 'Open it in a spreadsheet program and save it as XLSX or CSV.'
  if (MHTML.test(start)) throw unreadableSheet(`The file is a web page (MHTML) that was saved as .xls. ${save}`)
  if (!MARKUP.test(start)) return
  const isXml = /^\ufeff?\s*<\?xml/i.test(start) && !/<html/i.test(start)
  throw unreadableSheet(`The file is ${isXml ? 'an XML spreadsheet' : 'a web page (HTML)'} that was saved as .xls. ${save}`)
}
