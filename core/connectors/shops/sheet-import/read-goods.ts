import type { ExternalItem, ExternalOrder } from '../../../../plugins/connector/index.ts'
import { money, printed } from '../../../../plugins/connector/written.ts'
import { MONEY_MAX } from '../../../http/schema.ts'
import { smallestUnitOf } from '../../../lib/money/currency.ts'
import { type Decimal, decimal, decimalText, ONE } from '../../../lib/money/decimal.ts'
import { describeProblem, describeRounded, isRoundedBySpreadsheet, parseNumber } from '../../../lib/money/parse-number.ts'
import type { RowField } from './row-fields.ts'
import type { RowProblem } from './sheet-texts.ts'

/** Cells of a row that are not empty, by field. */
export type RowCells = Readonly<Partial<Record<RowField, string>>>

/** Error of a row that cannot be read as an order. */
export class UnreadableRow extends Error {
  /** `detail`: what is wrong with a cell, in English. `cell`: its contents and possible readings, without any words. */
  constructor(
    readonly problem: RowProblem,
    readonly detail: string | null = null,
    readonly cell: string | null = null,
  ) {
    super(problem)
  }
}

/** Items and amounts of a row. */
export type RowGoods = Pick<ExternalOrder, 'items' | 'total' | 'delivery' | 'unpriced'>

/** Reads the items and amounts of a row. Without an amount the catalogue's prices apply. Throws `UnreadableRow`. */
export function readRowGoods(cells: RowCells, currency: string): RowGoods {
  const items = readRowItems(cells)
  const amount = (field: 'price' | 'total' | 'delivery') => amountIn(cells[field], currency)
  const [price, total, delivery = '0'] = [amount('price'), amount('total'), amount('delivery')]
  if (price === undefined && total === undefined) return { items, total: '0', delivery: '0', unpriced: true }
  const [only, another] = items
  if (!only || another) throw new UnreadableRow('several')
  const unitPrice = price ?? unitPriceOf(total ?? '0', delivery, only.quantity, smallestUnitOf(currency))
  const goods = decimal(unitPrice) * BigInt(only.quantity)
  if (goods > decimal(MONEY_MAX)) throw new UnreadableRow('amount', `The goods come to more than ${MONEY_MAX}, the largest amount.`)
  return { items: [{ ...only, unitPrice }], delivery, total: total ?? decimalText(goods + decimal(delivery)) }
}

/** Returns the unit price that a total implies. A remainder that cannot be divided evenly counts as delivery. */
function unitPriceOf(total: string, delivery: string, quantity: number, smallestUnit: Decimal): string {
  const goods = decimal(total) - decimal(delivery)
  if (goods < 0n) throw new UnreadableRow('amount', 'The total is less than the delivery.')
  return decimalText((goods / BigInt(quantity) / smallestUnit) * smallestUnit)
}

/** Reads the items of a row: one product per line, or separated by semicolon or plus: `2 × Basket; Hat`. Throws `UnreadableRow`. */
export function readRowItems({ products = '', sku, variant, quantity }: RowCells): ExternalItem[] {
  const parts = products
    .split(/\n|;|؛|\s\+\s/)
    .map((part) => part.trim())
    .filter(Boolean)
  if (parts.length > 200) throw new UnreadableRow('product')
  if (parts.length < 2) return [singleItemOf(parts[0], sku, variant, quantity)]
  const items = parts.map((part) => readItem(part, undefined))
  const all = items.reduce((sum, item) => sum + item.quantity, 0)
  if (quantity?.trim() && countIn(quantity) !== all)
    throw new UnreadableRow(
      'quantity',
      `The products add up to ${all} pieces, not to the quantity. Write the quantity beside each product: 2 x Basket; Hat.`,
    )
  return items
}

function singleItemOf(
  part: string | undefined,
  sku: string | undefined,
  variant: string | undefined,
  quantity: string | undefined,
): ExternalItem {
  if (part === undefined && !sku) throw new UnreadableRow('product')
  if (sku !== undefined) assertUnroundedNumber(sku)
  const item = readItem(part ?? sku ?? '', quantity)
  const [known, version] = [printed(sku, 80), printed(variant, 300)]
  return { ...item, ...(known && { sku: known }), ...(version && { variant: version }) }
}

/** Throws `UnreadableRow` if a spreadsheet has rounded an identifier, such as a barcode or a phone number. */
export function assertUnroundedNumber(written: string): void {
  if (isRoundedBySpreadsheet(written)) throw new UnreadableRow('rounded', describeRounded(written), written.slice(0, 40))
}

const QUANTITY_MAX = 100_000

/** Reads one item. Its quantity comes from the quantity column, else from the text beside the name. */
function readItem(part: string, quantity: string | undefined): ExternalItem {
  const [, before, after = part] = /^(\d{1,6})\s*[×xX*]\s+(.+)$/su.exec(part) ?? []
  const [, goods = after, behind] = /^(.+?)\s+[×xX*]\s*(\d{1,6})$/su.exec(after) ?? []
  const count = quantity?.trim() ? countIn(quantity) : Number(before ?? behind ?? 1)
  if (!(count >= 1 && count <= QUANTITY_MAX)) throw new UnreadableRow('quantity')
  const name = printed(goods, 500)
  if (name === undefined) throw new UnreadableRow('product')
  return { name, quantity: count, unitPrice: '0' }
}

/** Reads a quantity: `2`, `٢`, `2 قطع`, `2 pièces`. */
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
  if (amount === undefined) throw new UnreadableRow('amount', `"${written.slice(0, 40)}" exceeds the largest amount.`)
  return amount
}

function unreadable(kind: 'quantity' | 'amount', written: string, problem: Parameters<typeof describeProblem>[1], currency: string | null) {
  const readings = problem.kind === 'ambiguous' ? ` = ${problem.readings.map(decimalText).join(' / ')} ?` : ''
  return new UnreadableRow(kind, describeProblem(written, problem, currency), `"${written.trim().slice(0, 40)}"${readings}`)
}
