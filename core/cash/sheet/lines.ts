import type { Decimal } from '../../lib/decimal.ts'
import { LINE_MAX } from '../from-carrier.ts'
import type { NewLine } from '../remittances.queries.ts'
import { readAmount } from './amounts.ts'
import type { Positions, SheetField } from './columns.ts'
import { refusedRows, unreadable } from './refusals.ts'
import { foldWords } from './text.ts'
import type { Rows } from './workbook.ts'

const REPORTED_MAX = 20
const NAME_MAX = 120
const TOTAL = /^(?:sous total|sub total|subtotal|total|totaux|grand total|montant total|somme|المجموع|مجموع|الاجمالي|اجمالي)(?: |$)/u
/** What spreadsheets show instead of a value. */
const ERROR = /^#(?:REF|VALUE|N\/A|NAME|DIV\/0|NUM|NULL|GETTING_DATA|SPILL|CALC)[!?]?/i

type Problem = { readonly row: number; readonly message: string }

/** What stands in a row under each field. */
type Named = Readonly<Partial<Record<SheetField, string>>>

/**
 * The lines below the headings in row `at`. Empty rows, headings said again and sums are left out. Throws `sheet_unreadable` with every
 * row that cannot be taken, up to twenty.
 */
export function readLines(rows: Rows, at: number, positions: Positions, currency: string, most: number): NewLine[] {
  const lines: NewLine[] = []
  const problems: Problem[] = []
  const seen = new Map<string, number>()
  const last = rows.findLastIndex((row) => row.some((cell) => cell.trim()))
  for (let index = at + 1; index <= last && problems.length < REPORTED_MAX; index += 1) {
    const cells = rows[index]!
    const named = namedCells(cells, positions)
    if (isLeftOut(cells, named, rows[at]!, index === last)) continue
    const line = lineOf(cells, named, rows[at]!.length, currency)
    if (typeof line === 'string') problems.push({ row: index + 1, message: line })
    else {
      const name = (line.tracking ?? line.reference!).replace(/\s+/g, '').toUpperCase()
      const before = seen.get(name)
      if (before !== undefined)
        problems.push({ row: index + 1, message: `Names ${line.tracking ?? line.reference} again, as row ${before} does.` })
      seen.set(name, index + 1)
      lines.push(line)
    }
  }
  if (problems.length > 0) throw refusedRows(problems)
  if (lines.length === 0) throw unreadable('The sheet has no parcel below its headings.')
  if (lines.length > most) throw unreadable(`The sheet has more than ${most} parcels. Split the payout.`)
  return lines
}

function namedCells(cells: readonly string[], positions: Positions): Named {
  return Object.fromEntries(
    Object.entries(positions).flatMap(([field, column]) => (cells[column]?.trim() ? [[field, cells[column]!.trim()]] : [])),
  )
}

function isLeftOut(cells: readonly string[], { tracking, reference }: Named, headings: readonly string[], isLast: boolean): boolean {
  if (cells.every((cell) => !cell.trim())) return true
  if (cells.every((cell, column) => cell.trim() === (headings[column] ?? '').trim())) return true
  const isNamed = tracking !== undefined || reference !== undefined
  if (!isNamed) return isLast || cells.some((cell) => TOTAL.test(foldWords(cell)))
  return TOTAL.test(foldWords(tracking ?? reference!))
}

/** A line, or why it is none. */
function lineOf(cells: readonly string[], named: Named, width: number, currency: string): NewLine | string {
  const { tracking, reference } = named
  if (tracking === undefined && reference === undefined)
    return 'Has neither a tracking number nor a reference. Cells that were merged must be split.'
  if (cells.slice(width).some((cell) => cell.trim()))
    return 'Has more cells than there are headings: an amount is cut in two, or a separator stands in a text.'
  for (const name of [tracking, reference]) {
    if (name !== undefined && (name.length > NAME_MAX || ERROR.test(name))) return `"${name.slice(0, 40)}" is not the name of a parcel.`
  }
  const amounts: Partial<Record<'amount' | 'fee' | 'net', Decimal | null>> = {}
  for (const field of ['amount', 'fee', 'net'] as const) {
    const written = named[field]
    const value = written === undefined || /^[-–—]+$/.test(written) ? null : readAmount(written, currency)
    const isWrong = value === null ? written !== undefined && !/^[-–—]+$/.test(written) : isTooLarge(value)
    if (isWrong) return `"${written!.slice(0, 40)}" is not an amount (${field}).`
    amounts[field] = value
  }
  const { amount = null, fee = null, net = null } = amounts
  if (amount === null && net === null) return 'Has no amount.'
  return { tracking: tracking ?? null, reference: reference ?? null, ...complete(amount, fee, net) }
}

const MOST = BigInt(LINE_MAX) * 10_000n
const isTooLarge = (value: Decimal) => value > MOST || value < -MOST

/** Any two say the third. What is paid and what was collected are believed before the fee, which may be one of several. */
function complete(amount: Decimal | null, stated: Decimal | null, net: Decimal | null): Pick<NewLine, 'amount' | 'fee' | 'net'> {
  const fee = stated !== null && stated < 0n ? -stated : stated
  if (amount !== null && net !== null)
    return net <= amount ? { amount, fee: amount - net, net } : { amount: net + (fee ?? 0n), fee: fee ?? 0n, net }
  if (fee === null) return { amount, fee, net }
  return amount === null ? { amount: net! + fee, fee, net } : { amount, fee, net: amount - fee }
}
