import { invariant } from '../../lib/invariant.ts'
import { CELL_MAX } from './decode-text.ts'
import { unreadableSheet } from './sheet-errors.ts'
import { type Archive, openArchive } from './unzip.ts'
import { type Attributes, readXml } from './xml.ts'

const COLUMNS_MAX = 200
/** Maximum characters of all cells, with shared texts counted each time. A sheet of twenty thousand rows has fewer. */
const TEXT_MAX = 32 * 1024 * 1024

/** Rows of a sheet as texts. The index is the spreadsheet's row number less one. */
export type TableRows = readonly (readonly string[])[]

/** Text that a spreadsheet shows for a failed computation. */
const NO_VALUE = '#VALUE!'

/**
 * Parses the visible sheets of an XLSX workbook, in order. Formulas have the value that was saved with them. Throws `sheet_unreadable`,
 * also for a cell above a spreadsheet's limit.
 */
export function readWorkbook(bytes: Uint8Array, rowsMax: number): TableRows[] {
  const archive = openArchive(bytes)
  const shared = sharedTexts(archive('xl/sharedStrings.xml') ?? '')
  const sheets = sheetPaths(archive).flatMap((path) => archive(path) ?? [])
  if (sheets.length === 0) throw unreadableSheet(otherFormat(archive))
  const add = textCounter()
  return sheets.map((xml) => sheetRows(xml, shared, rowsMax, add))
}

/** Explains which format an archive without XLSX sheets has. */
function otherFormat(archive: Archive): string {
  const save = 'Save the sheet as XLSX or CSV.'
  if (archive('xl/workbook.bin') !== undefined) return `The file is a binary workbook (XLSB). ${save}`
  if (archive('content.xml') !== undefined) return `The file is an OpenDocument sheet (ODS). ${save}`
  return `The file is no XLSX workbook with a sheet in it. ${save}`
}

/** Counts the characters of all cells. Throws `sheet_unreadable` above the limit. */
function textCounter(): (value: string) => void {
  let left = TEXT_MAX
  return ({ length }) => {
    left -= length
    if (left < 0)
      throw unreadableSheet('The workbook has too much text in its cells. Save only the columns and rows that count, or split it.')
  }
}

const ESCAPED = /_x([0-9a-fA-F]{4})_/g

function assertCell({ length }: string) {
  if (length > CELL_MAX) throw unreadableSheet(`A cell of the workbook has more than ${CELL_MAX} characters. Shorten it.`)
}

/** Decodes characters escaped as `_x0007_` and removes NUL. Checks the length before any other work on the text. */
function decodeEscapes(text: string): string {
  assertCell(text)
  if (!text.includes('_x')) return text
  return text.replace(ESCAPED, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))).replaceAll('\0', '')
}

/** Lists the paths of the sheets. Without a list, assumes the usual path of the first one. */
function sheetPaths(archive: Archive): string[] {
  const targets = new Map<string | undefined, string>()
  readXml(archive('xl/_rels/workbook.xml.rels') ?? '', {
    open: (name, attributes) => name === 'Relationship' && targets.set(attributes.Id, attributes.Target ?? ''),
  })
  const paths: string[] = []
  readXml(archive('xl/workbook.xml') ?? '', {
    open: (name, attributes) => {
      if (name !== 'sheet' || /hidden/i.test(attributes.state ?? '')) return
      const target = targets.get(relationOf(attributes))
      if (target !== undefined) paths.push(target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^\.\//, '')}`)
    },
  })
  return paths.length > 0 ? paths : ['xl/worksheets/sheet1.xml']
}

/** Returns the relation id of a sheet, under any namespace prefix. `sheetId` is not one. */
const relationOf = (attributes: Attributes) => Object.entries(attributes).find(([name]) => /^(?:.+:)?id$/.test(name))?.[1]

function sharedTexts(xml: string): string[] {
  const texts: string[] = []
  let current = ''
  let isPhonetic = false
  readXml(xml, {
    open: (name) => {
      if (name === 'si') current = ''
      else if (name === 'rPh') isPhonetic = true
    },
    close: (name, text) => {
      if (name === 'rPh') isPhonetic = false
      else if (name === 't' && !isPhonetic) {
        current += decodeEscapes(text)
        assertCell(current)
      } else if (name === 'si') texts.push(current)
    },
  })
  return texts
}

interface Cell {
  readonly type: string
  value: string
  isFormula: boolean
}

function sheetRows(xml: string, shared: readonly string[], rowsMax: number, add: (value: string) => void): TableRows {
  const rows: string[][] = []
  let [row, column] = [-1, -1]
  let isPhonetic = false
  let cell: Cell | undefined
  readXml(xml, {
    open: (name, attributes) => {
      if (name === 'row') [row, column] = [Number(attributes.r ?? row + 2) - 1, -1]
      else if (name === 'c') {
        column = columnOf(attributes.r, column + 1)
        cell = { type: attributes.t ?? 'n', value: '', isFormula: false }
      } else if (name === 'rPh') isPhonetic = true
      else if (cell && name === 'f') cell.isFormula = true
    },
    close: (name, text) => {
      if (name === 'rPh') isPhonetic = false
      else if (cell && (name === 'v' || (name === 't' && !isPhonetic))) {
        cell.value += decodeEscapes(text)
        assertCell(cell.value)
      } else if (cell && name === 'c') {
        const value = formatCell(cell, shared)
        add(value)
        storeCell(rows, row, column, value, rowsMax)
        cell = undefined
      }
    },
  })
  return rows.map((cells) => Array.from(cells, (value) => value ?? ''))
}

/**
 * Stores a cell. Omitted rows become empty; empty cells that only have a format are skipped. Throws `sheet_unreadable` for too many rows.
 */
function storeCell(rows: string[][], row: number, column: number, value: string, rowsMax: number) {
  if (value === '' || column >= COLUMNS_MAX) return
  if (!(row >= 0 && row < rowsMax)) throw unreadableSheet(`The sheet has more than ${rowsMax} rows. Split it.`)
  while (rows.length <= row) rows.push([])
  invariant(rows[row], 'A row that was made')[column] = value
}

/** Returns the column index of an address such as `AB12`, which is the 28th column. */
function columnOf(address: string | undefined, next: number): number {
  if (address === undefined) return next
  let column = 0
  for (let at = 0; at < 3; at += 1) {
    const letter = address.charCodeAt(at) - 64
    if (!(letter >= 1 && letter <= 26)) break
    column = column * 26 + letter
  }
  return column === 0 ? next : column - 1
}

function formatCell({ type, value, isFormula }: Cell, shared: readonly string[]): string {
  if (value === '') return isFormula ? NO_VALUE : ''
  if (type === 's') return shared[Number(value)] ?? NO_VALUE
  if (type === 'n') return numberText(value)
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  return value
}

/**
 * Formats a number in full, with four decimals, so that its point is not read as a thousands separator. Whole numbers above fifteen digits
 * are rounded in the file and keep their exponent.
 */
function numberText(value: string): string {
  const number = Number(value)
  if (!Number.isFinite(number)) return NO_VALUE
  if (Number.isInteger(number)) return Math.abs(number) < DIGITS_LOST_FROM ? String(number) : formatRounded(number)
  return number.toFixed(4)
}

const DIGITS_LOST_FROM = 1e15
/** Formats a rounded number as spreadsheets do: `1.23E+16`. */
const formatRounded = (number: number) => number.toExponential().replace('e', 'E')
