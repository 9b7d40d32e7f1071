import { ApiError, type Detail, invalid } from '../../../http/errors/errors.ts'
import { invariant } from '../../../lib/invariant.ts'
import { type Decimal, decimalNumber } from '../../../lib/money/decimal.ts'

/** The most that a leg or a balance may have: 15 digits, which a JSON number carries exactly. */
export const LARGEST: Decimal = 999_999_999_999_999n

/** Lines of an operation, and of a reservation: a leg without a batch may come to many. */
export const LINES_MAX = 1_000

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
}

/** A line whose batch is still to be chosen where it is null. */
export type OpenLine = Omit<Line, 'batch'> & { readonly batch: string | null }

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

/** No part has a line break, so no two balances have one name. */
export const nameOf = ({ namespace, key, batch }: Address) => `${namespace}\n${key}\n${batch}`

/** Of an item, over all its batches. A namespace has no "/", so no two items have one name. */
export const itemName = ({ namespace, key }: Pick<Address, 'namespace' | 'key'>) => `${namespace}/${key}`

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

/** Once it is known, a batch has its cost for good, also while it is empty. */
function costAfter(stock: Stock, line: Line): Decimal | null {
  if (stock.unitCost === null || line.unitCost === null) return stock.unitCost ?? line.unitCost
  if (stock.unitCost !== line.unitCost) throw costConflict(line, stock.unitCost)
  return stock.unitCost
}

export const costConflict = (line: Line, cost: Decimal) =>
  new ApiError('batch_cost_conflict', 'A batch has one unit cost, also while it is empty. Name another batch, or leave unitCost out.', {
    details: [{ path: `/body/legs/${line.at}/unitCost`, message: `${describe(line)} costs ${decimalNumber(cost)}.` }],
  })

/** The line that a balance changed by. */
const legOf = (lines: readonly Line[], name: string) =>
  invariant(
    lines.find((line) => nameOf(line) === name),
    'The leg of a change',
  )

const tooMuch = (lines: readonly Line[], name: string) =>
  invalid(`/body/legs/${legOf(lines, name).at}/quantity`, 'The balance would be larger than 99,999,999,999.9999.')

/** Which legs would take a balance below what is reserved of it. */
export function shortages(lines: readonly Line[], changes: ReadonlyMap<string, Change>): Detail[] {
  const taking = lines.filter(({ quantity }) => quantity < 0n)
  return [...changes].flatMap(([name, { before, after }]) => {
    if (after.onHand >= after.reserved) return []
    const line = legOf(taking, name)
    const free = decimalNumber(before.onHand - after.reserved)
    const asked = decimalNumber(before.onHand - after.onHand)
    const message = `${describe(line)} has ${free} to take, ${asked} asked (${decimalNumber(before.onHand)} on hand, ${decimalNumber(before.reserved)} reserved).`
    return [{ path: `/body/legs/${line.at}/quantity`, message }]
  })
}

export const stockConflict = (details: readonly Detail[]) =>
  new ApiError('reserved_stock_conflict', 'There is not enough stock that is not reserved; see details.', { details })

/** Throws `limit_reached` where lines come to more than one operation, or reservation, may have. */
export function assertFewLines(lines: number) {
  if (lines > LINES_MAX) throw tooManyLines()
}

export const tooManyLines = () =>
  new ApiError('limit_reached', `It takes from more than ${LINES_MAX} batches at once. Take less, in several operations.`)

export const describe = ({ namespace, key, batch }: Address) => `${namespace}/${key}${batch && `, batch ${batch},`}`
