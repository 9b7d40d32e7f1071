import type { ExternalItem, ExternalOrder } from '../../../../plugins/connector/index.ts'
import { printed } from '../../../../plugins/connector/written.ts'
import { beginning } from '../../../../plugins/toolkit/values.ts'
import { leastOf } from '../../../lib/currency.ts'
import { type Decimal, decimal, decimalText } from '../../../lib/decimal.ts'
import { amountWritten, western } from './amounts.ts'
import type { RowField } from './fields.ts'
import { nameIn } from './names.ts'
import { type RowProblem, saysCancelled } from './words.ts'

export type Cells = Readonly<Partial<Record<RowField, string>>>

interface Row {
  /** Its own name in the sheet. */
  readonly name: string
  readonly cells: Cells
}
interface Where {
  readonly currency: string
  readonly now: string
}

class Unreadable extends Error {
  constructor(readonly problem: RowProblem) {
    super(problem)
  }
}

/** A row of a person's sheet as an order, or why it is none. What was typed stays as it was typed. */
export function readRow(row: Row, where: Where): ExternalOrder | RowProblem {
  try {
    return orderIn(row, where)
  } catch (error) {
    if (error instanceof Unreadable) return error.problem
    throw error
  }
}

function orderIn({ name, cells }: Row, { currency, now }: Where): ExternalOrder {
  const { phone, phoneAlt, email, country } = cells
  return {
    externalId: name,
    number: printed(cells.reference, 100) ?? name,
    status: saysCancelled(cells.status ?? '') ? 'cancelled' : 'open',
    ...(cells.status && { statusWords: printed(cells.status, 100) ?? '' }),
    currency,
    customer: {
      name: typed(nameIn(cells), 200),
      ...(phone && { phone: typed(phone, 60) }),
      ...(phoneAlt && { phoneAlt: typed(phoneAlt, 60) }),
      ...(email && { email: typed(email, 254) }),
    },
    address: {
      ...(country && /^[A-Za-z]{2}$/.test(country) && { country }),
      state: typed(cells.state, 120),
      city: typed(cells.city, 120),
      address: typed(cells.address, 500),
    },
    ...goodsIn(cells, currency),
    ...(cells.note && { note: typed(cells.note, 2000) }),
    updatedAt: now,
  }
}

const typed = (value = '', max: number) => beginning(value.replaceAll('\u0000', ''), max)

type Goods = Pick<ExternalOrder, 'items' | 'total' | 'delivery' | 'unpriced'>

/** Without an amount the catalogue's prices count. */
function goodsIn(cells: Cells, currency: string): Goods {
  const items = itemsIn(cells)
  const amount = (field: 'price' | 'total' | 'delivery') => amountIn(cells[field], currency)
  const [price, total, delivery = '0'] = [amount('price'), amount('total'), amount('delivery')]
  if (price === undefined && total === undefined) return { items, total: '0', delivery: '0', unpriced: true }
  const [only, another] = items
  if (!only || another) throw new Unreadable('several')
  const unitPrice = price ?? sharedOut(total ?? '0', delivery, only.quantity, leastOf(currency))
  const goods = decimal(unitPrice) * BigInt(only.quantity)
  return { items: [{ ...only, unitPrice }], delivery, total: total ?? decimalText(goods + decimal(delivery)) }
}

/** What one comes to; what cannot be shared out evenly counts as delivery. */
function sharedOut(total: string, delivery: string, quantity: number, least: Decimal): string {
  const goods = decimal(total) - decimal(delivery)
  if (goods < 0n) throw new Unreadable('amount')
  return decimalText((goods / BigInt(quantity) / least) * least)
}

/** One product a line, or with a semicolon or a plus between them: `2 × Basket; Hat`. */
function itemsIn({ products = '', sku, variant, quantity }: Cells): ExternalItem[] {
  const parts = products
    .split(/\n|;|؛|\s\+\s/)
    .map((part) => part.trim())
    .filter(Boolean)
  if (parts.length > 200) throw new Unreadable('product')
  if (parts.length < 2) return [oneItem(parts[0], sku, variant, quantity)]
  return parts.map((part) => named(part, undefined))
}

function oneItem(
  part: string | undefined,
  sku: string | undefined,
  variant: string | undefined,
  quantity: string | undefined,
): ExternalItem {
  if (part === undefined && !sku) throw new Unreadable('product')
  const item = named(part ?? sku ?? '', quantity)
  const [known, version] = [printed(sku, 80), printed(variant, 300)]
  return { ...item, ...(known && { sku: known }), ...(version && { variant: version }) }
}

const MOST = 100_000

/** How many stands in a column of its own, else beside the name. */
function named(part: string, quantity: string | undefined): ExternalItem {
  const [, before, after = part] = /^(\d{1,6})\s*[×xX*]\s+(.+)$/su.exec(part) ?? []
  const [, goods = after, behind] = /^(.+?)\s+[×xX*]\s*(\d{1,6})$/su.exec(after) ?? []
  const count = quantity?.trim() ? countIn(quantity) : Number(before ?? behind ?? 1)
  if (!(count >= 1 && count <= MOST)) throw new Unreadable('quantity')
  const name = printed(goods, 500)
  if (name === undefined) throw new Unreadable('product')
  return { name, quantity: count, unitPrice: '0' }
}

const countIn = (written: string) => (/^\d{1,6}([.,]0+)?$/.test(western(written)) ? Number.parseInt(western(written), 10) : 0)

function amountIn(written = '', currency: string): string | undefined {
  if (written.trim() === '') return undefined
  const amount = amountWritten(written, currency)
  if (amount === undefined) throw new Unreadable('amount')
  return amount
}
