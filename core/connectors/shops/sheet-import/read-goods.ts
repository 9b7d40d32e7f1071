import type { ExternalItem, ExternalOrder } from '../../../../plugins/connector/index.ts'
import { money, printed } from '../../../../plugins/connector/written.ts'
import { MONEY_MAX } from '../../../http/schema.ts'
import { smallestUnitOf } from '../../../lib/money/currency.ts'
import { type Decimal, decimal, decimalText, ONE } from '../../../lib/money/decimal.ts'
import { describeProblem, isRoundedBySpreadsheet, parseNumber } from '../../../lib/money/parse-number.ts'
import type { RowField } from './fields.ts'
import type { RowProblem } from './header-words.ts'

export type Cells = Readonly<Partial<Record<RowField, string>>>

/** A row that is no order. */
export class UnreadableRow extends Error {
  /** `detail`: what is wrong with a cell, in English; `cell`: what it holds and its readings, in no language. */
  constructor(
    readonly problem: RowProblem,
    readonly detail: string | null = null,
    readonly cell: string | null = null,
  ) {
    super(problem)
  }
}

export type Goods = Pick<ExternalOrder, 'items' | 'total' | 'delivery' | 'unpriced'>

/** Reads the goods of a row, and what they cost. Without an amount the catalogue's prices count. Throws `UnreadableRow`. */
export function goodsIn(cells: Cells, currency: string): Goods {
  const items = itemsIn(cells)
  const amount = (field: 'price' | 'total' | 'delivery') => amountIn(cells[field], currency)
  const [price, total, delivery = '0'] = [amount('price'), amount('total'), amount('delivery')]
  if (price === undefined && total === undefined) return { items, total: '0', delivery: '0', unpriced: true }
  const [only, another] = items
  if (!only || another) throw new UnreadableRow('several')
  const unitPrice = price ?? sharedOut(total ?? '0', delivery, only.quantity, smallestUnitOf(currency))
  const goods = decimal(unitPrice) * BigInt(only.quantity)
  if (goods > decimal(MONEY_MAX)) throw new UnreadableRow('amount', `The goods come to more than ${MONEY_MAX}, the largest amount.`)
  return { items: [{ ...only, unitPrice }], delivery, total: total ?? decimalText(goods + decimal(delivery)) }
}

/** Returns what one piece comes to; what cannot be shared out evenly counts as delivery. */
function sharedOut(total: string, delivery: string, quantity: number, least: Decimal): string {
  const goods = decimal(total) - decimal(delivery)
  if (goods < 0n) throw new UnreadableRow('amount', 'The total is less than the delivery.')
  return decimalText((goods / BigInt(quantity) / least) * least)
}

/** One product a line, or with a semicolon or a plus between them: `2 × Basket; Hat`. */
export function itemsIn({ products = '', sku, variant, quantity }: Cells): ExternalItem[] {
  const parts = products
    .split(/\n|;|؛|\s\+\s/)
    .map((part) => part.trim())
    .filter(Boolean)
  if (parts.length > 200) throw new UnreadableRow('product')
  if (parts.length < 2) return [oneItem(parts[0], sku, variant, quantity)]
  const items = parts.map((part) => named(part, undefined))
  const all = items.reduce((sum, item) => sum + item.quantity, 0)
  if (quantity?.trim() && countIn(quantity) !== all)
    throw new UnreadableRow('quantity', `The products come to ${all} pieces. Write how many beside each: 2 x Basket; Hat.`)
  return items
}

function oneItem(
  part: string | undefined,
  sku: string | undefined,
  variant: string | undefined,
  quantity: string | undefined,
): ExternalItem {
  if (part === undefined && !sku) throw new UnreadableRow('product')
  if (sku !== undefined) assertInFull(sku)
  const item = named(part ?? sku ?? '', quantity)
  const [known, version] = [printed(sku, 80), printed(variant, 300)]
  return { ...item, ...(known && { sku: known }), ...(version && { variant: version }) }
}

/** Throws where a spreadsheet has rounded a number that names something, such as a barcode or a phone number. */
export function assertInFull(written: string): void {
  if (isRoundedBySpreadsheet(written))
    throw new UnreadableRow('rounded', `"${written.slice(0, 40)}" is a number that a spreadsheet has rounded.`, written.slice(0, 40))
}

const MOST = 100_000

/** A column of its own says how many, else the text beside the name. */
function named(part: string, quantity: string | undefined): ExternalItem {
  const [, before, after = part] = /^(\d{1,6})\s*[×xX*]\s+(.+)$/su.exec(part) ?? []
  const [, goods = after, behind] = /^(.+?)\s+[×xX*]\s*(\d{1,6})$/su.exec(after) ?? []
  const count = quantity?.trim() ? countIn(quantity) : Number(before ?? behind ?? 1)
  if (!(count >= 1 && count <= MOST)) throw new UnreadableRow('quantity')
  const name = printed(goods, 500)
  if (name === undefined) throw new UnreadableRow('product')
  return { name, quantity: count, unitPrice: '0' }
}

/** Reads how many pieces: `2`, `٢`, `2 قطع`, `2 pièces`. */
function countIn(written: string): number {
  const reading = parseNumber(written, { currency: null, hasWords: true })
  if ('problem' in reading) throw unreadable('quantity', written, reading.problem, null)
  return reading.value % ONE === 0n ? Number(reading.value / ONE) : 0
}

function amountIn(written = '', currency: string): string | undefined {
  if (written.trim() === '') return undefined
  const reading = parseNumber(written, { currency, hasWords: true })
  if ('problem' in reading) throw unreadable('amount', written, reading.problem, currency)
  const amount = money(decimalText(reading.value))
  if (amount === undefined) throw new UnreadableRow('amount', `"${written.slice(0, 40)}" is more than an amount may be.`)
  return amount
}

function unreadable(kind: 'quantity' | 'amount', written: string, problem: Parameters<typeof describeProblem>[1], currency: string | null) {
  const readings = problem.kind === 'ambiguous' ? ` = ${problem.readings.map(decimalText).join(' / ')} ?` : ''
  return new UnreadableRow(kind, describeProblem(written, problem, currency), `"${written.trim().slice(0, 40)}"${readings}`)
}
