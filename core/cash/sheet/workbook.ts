import { unreadable } from './refusals.ts'
import { type Archive, openArchive } from './unzip.ts'

const COLUMNS_MAX = 200

/** A sheet as rows of texts; a row's number is its place in the list, as the spreadsheet counts, less one. */
export type Rows = readonly (readonly string[])[]

/** What a spreadsheet shows where it could not compute. */
const NO_VALUE = '#VALUE!'

/** The visible sheets of an XLSX workbook, in their order. Formulas count by the value that was saved with them. */
export function readWorkbook(bytes: Uint8Array, rowsMax: number): Rows[] {
  const archive = openArchive(bytes)
  const shared = sharedTexts(archive('xl/sharedStrings.xml') ?? '')
  const sheets = sheetPaths(archive).flatMap((path) => archive(path) ?? [])
  if (sheets.length === 0) throw unreadable('The file is no XLSX workbook with a sheet in it. Save the sheet as XLSX or CSV.')
  return sheets.map((xml) => sheetRows(xml, shared, rowsMax))
}

interface Tag {
  readonly name: string
  readonly kind: 'open' | 'close' | 'empty'
  readonly attributes: string
  /** What stands between the tag before and this one. */
  readonly text: string
}

/** XML as the tags it consists of; a prefix before a name says only which program wrote it. */
function* tagsOf(xml: string): Generator<Tag> {
  let last = 0
  for (const match of xml.matchAll(/<(\/?)(?:[\w.-]+:)?([\w.-]+)((?:\s[^<>]*?)?)(\/?)>/g)) {
    const [whole, slash, name, attributes, empty] = match
    yield { name: name!, kind: slash ? 'close' : empty ? 'empty' : 'open', attributes: attributes!, text: xml.slice(last, match.index) }
    last = match.index + whole.length
  }
}

const attribute = ({ attributes }: Tag, name: string) => {
  const value = new RegExp(`\\s(?:\\w+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)
  return value ? plain(value[1] ?? value[2] ?? '') : undefined
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const plain = (text: string) =>
  text
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
      if (name) return entities[name] ?? whole
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
    })
    .replace(/_x([0-9a-f]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('\0', '')

/** Where the sheets lie; without a list of them, where the first one usually does. */
function sheetPaths(archive: Archive): string[] {
  const targets = new Map(
    [...tagsOf(archive('xl/_rels/workbook.xml.rels') ?? '')]
      .filter(({ name }) => name === 'Relationship')
      .map((tag) => [attribute(tag, 'Id'), attribute(tag, 'Target') ?? '']),
  )
  const paths = [...tagsOf(archive('xl/workbook.xml') ?? '')]
    .filter((tag) => tag.name === 'sheet' && !/hidden/i.test(attribute(tag, 'state') ?? ''))
    .flatMap((tag) => targets.get(attribute(tag, 'id')) ?? [])
    .map((target) => (target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^\.\//, '')}`))
  return paths.length > 0 ? paths : ['xl/worksheets/sheet1.xml']
}

function sharedTexts(xml: string): string[] {
  const texts: string[] = []
  let current = ''
  let spoken = false
  for (const { name, kind, text } of tagsOf(xml)) {
    if (name === 'si' && kind === 'open') current = ''
    if (name === 'rPh') spoken = kind === 'open'
    if (name === 't' && kind === 'close' && !spoken) current += plain(text)
    if (name === 'si' && kind !== 'open') texts.push(kind === 'empty' ? '' : current)
  }
  return texts
}

interface Cell {
  readonly type: string
  value: string
  isFormula: boolean
}

function sheetRows(xml: string, shared: readonly string[], rowsMax: number): Rows {
  const rows: string[][] = []
  let [row, column] = [-1, -1]
  let cell: Cell | undefined
  for (const tag of tagsOf(xml)) {
    const { name, kind, text } = tag
    if (name === 'row' && kind !== 'close') [row, column] = [Number(attribute(tag, 'r') ?? row + 2) - 1, -1]
    else if (name === 'c' && kind !== 'close') {
      column = columnOf(attribute(tag, 'r'), column + 1)
      cell = kind === 'open' ? { type: attribute(tag, 't') ?? 'n', value: '', isFormula: false } : undefined
    } else if (cell && name === 'f') cell.isFormula = true
    else if (cell && (name === 'v' || name === 't') && kind === 'close') cell.value += plain(text)
    else if (cell && name === 'c') {
      put(rows, row, column, shown(cell, shared), rowsMax)
      cell = undefined
    }
  }
  return rows.map((cells) => Array.from(cells, (value) => value ?? ''))
}

/** Rows that were left out are empty; empty cells that only have a format are not counted. */
function put(rows: string[][], row: number, column: number, value: string, rowsMax: number) {
  if (value === '' || column >= COLUMNS_MAX) return
  if (!(row >= 0 && row < rowsMax)) throw unreadable(`The sheet has more than ${rowsMax} rows. Split the payout.`)
  while (rows.length <= row) rows.push([])
  rows[row]![column] = value
}

/** `AB12` is the 28th column. */
function columnOf(address: string | undefined, next: number): number {
  const letters = /^[A-Z]{1,3}/.exec(address ?? '')?.[0]
  if (!letters) return next
  return [...letters].reduce((total, letter) => total * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function shown({ type, value, isFormula }: Cell, shared: readonly string[]): string {
  if (value === '') return isFormula ? NO_VALUE : ''
  if (type === 's') return shared[Number(value)] ?? NO_VALUE
  if (type === 'n') return numberText(value)
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  return value
}

/** In full, without the traces of binary fractions; always four decimals, so that a point is not taken for one of thousands. */
function numberText(value: string): string {
  const number = Number(value)
  if (!Number.isFinite(number)) return NO_VALUE
  if (Number.isInteger(number)) return Number.isSafeInteger(number) ? String(number) : NO_VALUE
  return number.toFixed(4)
}
