import { CURRENCY_WORDS } from '../../lib/money/currency-marks.ts'
import { toLatinDigits } from '../../lib/money/parse-number.ts'
import { unreadableSheet } from './sheet-errors.ts'

/** Maximum characters of a cell: Excel's own limit. */
export const CELL_MAX = 32_767
/** Maximum characters of a heading that is compared with names. */
const HEADING_MAX = 250

const MARKS: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]
const SAMPLE_BYTES = 1000
/** Pattern of Arabic text in Windows-1256. No western word has three accented letters in a row. */
const ARABIC = /[\xc0-\xff]{3}/

/** Decodes the text of a file that a spreadsheet wrote: UTF-8, UTF-16, Windows-1256 or Windows-1252. */
export function decodeText(bytes: Uint8Array): string {
  const text = new TextDecoder(encodingOf(bytes) as 'utf-8').decode(bytes)
  if (text.includes('\0')) throw unreadableSheet('The file is neither a CSV text nor an XLSX workbook. Save the sheet as one of them.')
  return text
}

function encodingOf(bytes: Uint8Array): string {
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))
  if (marked) return marked[0]
  // Detects UTF-16 by its zero bytes: every second byte of plain letters is zero.
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const isMostlyZero = (every: 0 | 1) => sample.filter((byte, at) => byte === 0 && at % 2 === every).length > sample.length / 5
  if (isMostlyZero(1)) return 'utf-16le'
  if (isMostlyZero(0)) return 'utf-16be'
  if (isUtf8(bytes)) return 'utf-8'
  return ARABIC.test(new TextDecoder('latin1').decode(bytes)) ? 'windows-1256' : 'windows-1252'
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** Returns the content of a cell, without invisible characters and without the marks that force text: `="00123"`, `'00123`. */
export const cellText = (cell: string) =>
  cell
    .replace(/\p{Cf}/gu, '')
    .trim()
    .replace(/^="(.*)"$/s, '$1')
    .replace(/^'/, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Folds a heading for comparison: without case, accents, punctuation and a trailing currency. Empty for a long text. */
export const foldWords = (text: string) => (text.length > HEADING_MAX ? '' : fold(text))

const fold = (text: string) =>
  toLatinDigits(text)
    .normalize('NFKD')
    .replace(/[\p{M}\u0640]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(CURRENCY_WORDS, ' ')
    .replace(/ +/g, ' ')
    .trim()
