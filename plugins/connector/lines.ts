import { isRow, present, type Row, word } from '../toolkit/values.ts'
import type { ExternalItem } from './model.ts'
import { OrderProblem, quoted } from './read-order.ts'
import { lineTotal, money, printed } from './written.ts'

/** Maximum number of lines in an order. */
export const LINES_MAX = 200
const QUANTITY_MAX = 100_000
const SKU_MAX = 80

/** Line of an order as an adapter finds it. Nothing about its members is certain. */
export interface Line {
  readonly name: unknown
  readonly quantity: unknown
  readonly unitPrice: unknown
  readonly sku?: unknown
  readonly variant?: unknown
}

/** Parses all lines of an order. Throws `OrderProblem` with the line and the problem; no line is ever left out. */
export function linesOf(value: unknown, lineOf: (row: Row) => Line, { most = LINES_MAX } = {}): ExternalItem[] {
  const found = Array.isArray(value) ? (value as unknown[]) : isRow(value) ? Object.values(value) : []
  if (found.length === 0) throw new OrderProblem('It has no lines. Add its products in the shop.')
  if (found.length > most)
    throw new OrderProblem(`It has ${found.length} lines; at most ${most} are allowed. Divide it into several orders in the shop.`)
  return found.map((one, at) => {
    if (!isRow(one)) throw new OrderProblem(`Line ${at + 1} is empty. Remove it in the shop, or choose a product for it.`)
    return itemOf(lineOf(one), at)
  })
}

function itemOf({ name, quantity, unitPrice, sku, variant }: Line, at: number): ExternalItem {
  const called = printed(name, 500)
  if (called === undefined) throw new OrderProblem(`Line ${at + 1} has no product name. Name the product in the shop.`)
  const where = `Line ${at + 1} (${printed(name, 80)})`
  const pieces = count(quantity)
  if (pieces === undefined)
    throw new OrderProblem(
      `${where}: the quantity is ${quoted(quantity)}; it must be a whole number from 1 to ${QUANTITY_MAX}. Correct it in the shop.`,
    )
  const price = money(unitPrice)
  if (price === undefined)
    throw new OrderProblem(
      `${where}: the price of a piece is ${quoted(unitPrice)}; it must be an amount of 0 or more. Correct it in the shop.`,
    )
  const code = printed(sku, SKU_MAX + 1)
  if (code !== undefined && code.length > SKU_MAX)
    throw new OrderProblem(`${where}: the SKU is longer than ${SKU_MAX} characters. Shorten it in the shop.`)
  const version = printed(variant, 300)
  return {
    name: called,
    quantity: pieces,
    unitPrice: price,
    ...present({ sku: code, variant: version, lineTotal: lineTotal(unitPrice, pieces) }),
  }
}

/** Words for pieces. Other units are rejected: `2 dozen` is not two pieces. */
const PIECES = /^(?:x|×|pcs?|pieces?|pièces?|pi[eè]ce\(s\)|unités?|units?|articles?|قطع|قطعة|قطعه|حبة|حبات|وحدة|وحدات)\.?$/iu

/**
 * Parses a count of pieces: a whole number from 1, as number or text, in Latin, Arabic or Persian digits. A word for pieces is allowed (`2
 * قطع`, `2 pièces`, `2_pièces`, `x2`). Undefined for everything else.
 */
export function count(value: unknown): number | undefined {
  const written = latinDigits(word(value) ?? '')
  const [, before = '', digits = '', after = ''] = /^([^\d\s.,+-]*)\s*(\d{1,6})(?:\.0{1,6}|,0{1,2})?\s*([^\d.,]*\.?)$/u.exec(written) ?? []
  const isCount = [before, after.trim()].every((unit) => unit === '' || PIECES.test(unit))
  const pieces = Number(digits)
  return digits !== '' && isCount && pieces >= 1 && pieces <= QUANTITY_MAX ? pieces : undefined
}

/** Replaces digits and decimal marks of other scripts with Latin ones, and `_`, which forms use for spaces. */
const latinDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll('_', ' ')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replaceAll('\u066b', '.')
    .replace(/[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
