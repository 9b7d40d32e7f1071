import { cellText, foldWords } from '../../../http/table/decode-text.ts'
import { invalidRows, unreadableSheet } from '../../../http/table/sheet-errors.ts'
import type { TableRows } from '../../../http/table/workbook.ts'
import { invariant } from '../../../lib/invariant.ts'
import type { Decimal } from '../../../lib/money/decimal.ts'
import { describeProblem, describeRounded, isRoundedBySpreadsheet, parseNumber } from '../../../lib/money/parse-number.ts'
import { LINE_AMOUNT_MAX } from '../../ledger/entries/carrier-amount.ts'
import type { NewRemittanceLine } from '../remittances.queries.ts'
import type { ColumnPositions, SheetField } from './columns.ts'

const REPORTED_MAX = 20
const NAME_MAX = 120
const TOTAL = /^(?:sous total|sub total|subtotal|total|totaux|grand total|montant total|somme|المجموع|مجموع|الاجمالي|اجمالي)(?: |$)/u
/** Error values that spreadsheets show instead of a value. */
const ERROR = /^#(?:REF|VALUE|N\/A|NAME|DIV\/0|NUM|NULL|GETTING_DATA|SPILL|CALC)[!?]?/i
/** Dashes that stand for an empty amount. */
const DASHES = /^[-–—]+$/

type Problem = { readonly row: number; readonly message: string }

/** Text of a row's cells, by field. */
type FieldCells = Readonly<Partial<Record<SheetField, string>>>

/** Line before missing amounts are computed. */
type StatedLine = Pick<NewRemittanceLine, 'tracking' | 'reference' | 'amount' | 'fee' | 'net'>

/**
 * Parses the lines below the headings in row `at`. Skips empty rows, repeated headings and totals. Throws `sheet_unreadable` with the row
 * numbers of up to twenty invalid rows, for a sheet without lines, or for more than `most` lines.
 */
export function parseLines(rows: TableRows, at: number, positions: ColumnPositions, currency: string, most: number): NewRemittanceLine[] {
  const lines: StatedLine[] = []
  const problems: Problem[] = []
  const seen = new Map<string, number>()
  const headings = invariant(rows[at], 'The row of the headings')
  const below = rows.slice(at + 1, rows.findLastIndex((row) => row.some((cell) => cell.trim())) + 1)
  for (const [index, row] of below.entries()) {
    if (problems.length === REPORTED_MAX) break
    const [number, isLast] = [at + index + 2, index === below.length - 1]
    const cells = row.map(cellText)
    const named = cellsByField(cells, positions)
    const line = parseLine(cells, named, headings.length, currency)
    if (isSkipped(cells, named, headings) || (isLast && isTotalRow(named, lines, currency))) continue
    if (typeof line === 'string') problems.push({ row: number, message: line })
    else {
      const label = invariant(line.tracking ?? line.reference, 'The parcel of a line')
      const name = label.replace(/\s+/g, '').toUpperCase()
      const before = seen.get(name)
      if (before !== undefined) problems.push({ row: number, message: `Names ${label}, which row ${before} already names.` })
      seen.set(name, number)
      lines.push(line)
    }
  }
  if (problems.length > 0) throw invalidRows(problems)
  if (lines.length === 0) throw unreadableSheet('The sheet has no parcel below its headings.')
  if (lines.length > most) throw unreadableSheet(`The sheet has more than ${most} parcels. Split the payout.`)
  const sign = lines.some(({ fee }) => fee !== null && fee > 0n) ? 1n : -1n
  return lines.map(({ amount, fee, net, ...names }) => ({
    ...names,
    ...completeAmounts(amount, fee === null ? null : fee * (fee < 0n ? sign : 1n), net),
  }))
}

function cellsByField(cells: readonly string[], positions: ColumnPositions): FieldCells {
  return Object.fromEntries(
    Object.entries(positions).flatMap(([field, column]) => {
      const cell = cells[column]
      return cell ? [[field, cell]] : []
    }),
  )
}

function isSkipped(cells: readonly string[], { tracking, reference, amount, fee, net }: FieldCells, headings: readonly string[]): boolean {
  if (cells.every((cell) => !cell)) return true
  if (cells.every((cell, column) => cell === cellText(headings[column] ?? ''))) return true
  const name = tracking ?? reference
  if (name !== undefined) return TOTAL.test(foldWords(name))
  return (amount ?? fee ?? net) === undefined || cells.some((cell) => TOTAL.test(foldWords(cell)))
}

/** Recognizes a last row without a parcel whose amounts equal the totals. Any other row without a parcel is an error. */
function isTotalRow({ tracking, reference, ...named }: FieldCells, lines: readonly StatedLine[], currency: string): boolean {
  if (tracking !== undefined || reference !== undefined) return false
  return fields.every((field) => {
    const total = lines.reduce((sum, line) => sum + (line[field] ?? 0n), 0n)
    const reading = named[field] === undefined ? { value: total } : parseNumber(named[field], { currency, isSigned: true })
    return 'value' in reading && reading.value === total
  })
}

const fields = ['amount', 'fee', 'net'] as const

/** Parses a line, or returns the reason why the row is invalid. */
function parseLine(cells: readonly string[], named: FieldCells, width: number, currency: string): StatedLine | string {
  const { tracking, reference } = named
  if (tracking === undefined && reference === undefined)
    return 'Has neither a tracking number nor a reference. Cells that were merged must be split.'
  if (cells.slice(width).some(Boolean))
    return 'Has more cells than there are headings: an amount is cut in two, or a separator stands in a text.'
  for (const name of [tracking, reference]) {
    if (name === undefined) continue
    if (name.length > NAME_MAX || ERROR.test(name)) return `"${name.slice(0, 40)}" is not the name of a parcel.`
    if (isRoundedBySpreadsheet(name)) return describeRounded(name)
  }
  const amounts: Partial<Record<'amount' | 'fee' | 'net', Decimal | null>> = {}
  for (const field of fields) {
    const written = named[field] ?? ''
    const reading = written !== '' && !DASHES.test(written) ? parseNumber(written, { currency, isSigned: true }) : { value: null }
    if ('problem' in reading) return `${describeProblem(written, reading.problem, currency)} (${field})`
    if (reading.value !== null && isTooLarge(reading.value)) return `"${written}" exceeds the maximum amount. (${field})`
    amounts[field] = reading.value
  }
  const { amount = null, fee = null, net = null } = amounts
  if (amount === null && net === null) return 'Has no amount.'
  return { tracking: tracking ?? null, reference: reference ?? null, amount, fee, net }
}

const MOST = BigInt(LINE_AMOUNT_MAX) * 10_000n
const isTooLarge = (value: Decimal) => value > MOST || value < -MOST

/**
 * Computes the third amount from the other two. When all are present, amount and net win over the fee, which may be one of several. A
 * negative fee is a refund.
 */
function completeAmounts(
  amount: Decimal | null,
  fee: Decimal | null,
  net: Decimal | null,
): Pick<NewRemittanceLine, 'amount' | 'fee' | 'net'> {
  if (amount !== null && net !== null) {
    const isPlausible = net <= amount || amount < 0n || amount - net === fee || net - amount === fee
    return isPlausible ? { amount, fee: amount - net, net } : { amount: net + (fee ?? 0n), fee: fee ?? 0n, net }
  }
  if (fee === null) return { amount, fee, net }
  if (amount !== null) return { amount, fee, net: amount - fee }
  return { amount: net === null ? null : net + fee, fee, net }
}
