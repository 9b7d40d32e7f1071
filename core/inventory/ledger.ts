import { ApiError, type Detail, invalid } from '../http/errors.ts'
import { type Decimal, decimalNumber } from '../lib/decimal.ts'
import { LARGEST } from './rules.ts'

export interface Address {
  readonly namespace: string
  readonly key: string
  readonly batch: string
}

/** One leg as the ledger sees it: the sign says the direction. */
export interface Line extends Address {
  readonly quantity: Decimal
  readonly unitCost: Decimal | null
  /** Which leg of the request it comes from. */
  readonly at: number
  /** The cost came along with the goods, nobody stated it: it is averaged in, and conflicts with nothing. */
  readonly carried?: true
}

export interface Stock extends Address {
  readonly onHand: Decimal
  readonly reserved: Decimal
  readonly unitCost: Decimal | null
}

/** A ledger line as it will be written. */
export interface Entry extends Address {
  readonly quantity: Decimal
  readonly unitCost: Decimal | null
  readonly balanceAfter: Decimal
}

export interface Change {
  readonly before: Stock
  readonly after: Stock
}

/** Neither a namespace nor a key has a "/", so no two balances have one name. */
export const nameOf = ({ namespace, key, batch }: Address) => `${namespace}/${key}/${batch}`

export const lesser = (a: Decimal, b: Decimal): Decimal => (a < b ? a : b)

export const emptyStock = ({ namespace, key, batch }: Address): Stock => ({
  namespace,
  key,
  batch,
  onHand: 0n,
  reserved: 0n,
  unitCost: null,
})

/** What the lines make of the balances, which the caller holds locked. `taken` is what leaves each reserved counter. */
export function applyLines(lines: readonly Line[], balances: ReadonlyMap<string, Stock>, taken: ReadonlyMap<string, Decimal> = new Map()) {
  const changes = new Map<string, Change>()
  const entries: Entry[] = []
  for (const line of addingFirst(lines)) {
    const name = nameOf(line)
    const before = changes.get(name)?.before ?? balances.get(name) ?? emptyStock(line)
    const now = changes.get(name)?.after ?? { ...before, reserved: before.reserved - (taken.get(name) ?? 0n) }
    const after = {
      ...now,
      onHand: now.onHand + line.quantity,
      unitCost: line.quantity > 0n ? costAfter(now, line) : now.unitCost,
    }
    changes.set(name, { before, after })
    entries.push({
      namespace: line.namespace,
      key: line.key,
      batch: line.batch,
      quantity: line.quantity,
      unitCost: line.unitCost ?? after.unitCost,
      balanceAfter: after.onHand,
    })
  }
  for (const [name, { after }] of changes) if (after.onHand > LARGEST) throw tooMuch(lines, name)
  return { entries, changes }
}

/** On a balance that one operation both fills and empties, filling comes first: no line leaves it below zero on the way. */
function addingFirst(lines: readonly Line[]): readonly Line[] {
  const filled = new Set(lines.filter((line) => line.quantity > 0n).map(nameOf))
  const isLater = (line: Line) => line.quantity < 0n && filled.has(nameOf(line))
  if (!lines.some(isLater)) return lines
  return [...lines.filter((line) => !isLater(line)), ...lines.filter(isLater)]
}

function costAfter(stock: Stock, line: Line): Decimal | null {
  if (line.unitCost === null) return stock.unitCost
  if (stock.onHand <= 0n || stock.unitCost === null || stock.unitCost === line.unitCost) return line.unitCost
  if (line.carried) return average(stock.onHand, stock.unitCost, line.quantity, line.unitCost)
  throw costConflict(line, stock.unitCost)
}

/** Weighted, half up. */
export function average(quantity: Decimal, cost: Decimal, otherQuantity: Decimal, otherCost: Decimal): Decimal {
  const total = quantity + otherQuantity
  return (quantity * cost + otherQuantity * otherCost + total / 2n) / total
}

export const costConflict = (line: Line, cost: Decimal) =>
  new ApiError('batch_cost_conflict', 'This batch has another unit cost. Name another batch, or leave unitCost out.', {
    details: [{ path: `/body/legs/${line.at}/unitCost`, message: `${describe(line)} costs ${decimalNumber(cost)}.` }],
  })

const tooMuch = (lines: readonly Line[], name: string) =>
  invalid(`/body/legs/${lines.find((line) => nameOf(line) === name)!.at}/quantity`, 'The balance would be larger than 99,999,999,999.9999.')

/** Which legs would take a balance below what is reserved of it. */
export function shortages(lines: readonly Line[], changes: ReadonlyMap<string, Change>): Detail[] {
  return [...changes].flatMap(([name, { before, after }]) => {
    if (after.onHand >= after.reserved) return []
    const line = lines.find(({ quantity, ...address }) => quantity < 0n && nameOf(address) === name)!
    const free = decimalNumber(before.onHand - after.reserved)
    const asked = decimalNumber(before.onHand - after.onHand)
    const message = `${describe(line)} has ${free} to take, ${asked} asked (${decimalNumber(before.onHand)} on hand, ${decimalNumber(before.reserved)} reserved).`
    return [{ path: `/body/legs/${line.at}/quantity`, message }]
  })
}

export const stockConflict = (details: readonly Detail[]) =>
  new ApiError('reserved_stock_conflict', 'There is not enough stock that is not reserved; see details.', { details })

export const describe = ({ namespace, key, batch }: Address) => `${namespace}/${key}${batch && `, batch ${batch},`}`
