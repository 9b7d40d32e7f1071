import type { FieldIssue } from '../../../lib/errors/domain-error.ts'
import { invariant } from '../../../lib/invariant.ts'
import { type Decimal, decimalNumber } from '../../../lib/money/decimal.ts'
import { inventoryErrors } from '../inventory.errors.ts'

/** Largest quantity of a leg or a balance: 15 digits, which a JSON number represents exactly. */
export const QUANTITY_MAX: Decimal = 999_999_999_999_999n

/** Lines of an operation or reservation. A leg without a batch may become many lines. */
export const LINES_MAX = 1_000

/** Address of a balance. */
export interface BalanceAddress {
  readonly namespace: string
  readonly key: string
  readonly batch: string
}

/** Leg for one batch. A positive quantity comes in, a negative one goes out. */
export interface LedgerLine extends BalanceAddress {
  readonly quantity: Decimal
  readonly unitCost: Decimal | null
  /** Index of the leg in the request, for errors. */
  readonly at: number
}

/** Line whose batch is null until it is chosen. */
export type RequestedLine = Omit<LedgerLine, 'batch'> & { readonly batch: string | null }

/** Quantities and unit cost of a balance. */
export interface StockBalance extends BalanceAddress {
  readonly onHand: Decimal
  readonly reserved: Decimal
  readonly unitCost: Decimal | null
}

/** Ledger line to be written, with the balance after it. */
export interface LedgerEntry extends BalanceAddress {
  readonly quantity: Decimal
  readonly unitCost: Decimal | null
  readonly balanceAfter: Decimal
}

/** Balance before and after an operation. */
export interface BalanceChange {
  readonly before: StockBalance
  readonly after: StockBalance
}

/** Returns the key of a balance in maps. It is unique, because no part contains a line break. */
export const balanceKeyOf = ({ namespace, key, batch }: BalanceAddress) => `${namespace}\n${key}\n${batch}`

/** Returns the key of an item in maps. It is unique, because a namespace contains no "/". */
export const itemKeyOf = ({ namespace, key }: Pick<BalanceAddress, 'namespace' | 'key'>) => `${namespace}/${key}`

/** Returns the smaller quantity. */
export const minimumOf = (a: Decimal, b: Decimal): Decimal => (a < b ? a : b)

/** Returns a balance without stock, for an address that was never used. */
const emptyBalance = ({ namespace, key, batch }: BalanceAddress): StockBalance => ({
  namespace,
  key,
  batch,
  onHand: 0n,
  reserved: 0n,
  unitCost: null,
})

/**
 * Computes the ledger entries and the changes that the lines make to balances, which the caller has locked. `released` is subtracted from
 * each reserved counter. Throws `batch_cost_conflict`, and `invalid_request` for a balance above the maximum.
 */
export function applyLines(
  lines: readonly LedgerLine[],
  balances: ReadonlyMap<string, StockBalance>,
  released: ReadonlyMap<string, Decimal> = new Map(),
) {
  const changes = new Map<string, BalanceChange>()
  const entries: LedgerEntry[] = []
  for (const line of orderAdditionsFirst(lines)) {
    const name = balanceKeyOf(line)
    const before = changes.get(name)?.before ?? balances.get(name) ?? emptyBalance(line)
    const now = changes.get(name)?.after ?? { ...before, reserved: before.reserved - (released.get(name) ?? 0n) }
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
  for (const [name, { after }] of changes) if (after.onHand > QUANTITY_MAX) throw quantityOverflowError(lines, name)
  return { entries, changes }
}

/** Moves additions before removals on balances that an operation both fills and empties, so that none becomes negative in between. */
function orderAdditionsFirst(lines: readonly LedgerLine[]): readonly LedgerLine[] {
  const filled = new Set(lines.filter((line) => line.quantity > 0n).map(balanceKeyOf))
  const isLater = (line: LedgerLine) => line.quantity < 0n && filled.has(balanceKeyOf(line))
  if (!lines.some(isLater)) return lines
  return [...lines.filter((line) => !isLater(line)), ...lines.filter(isLater)]
}

/** Returns the cost of a batch after a line. A known cost never changes, even while the batch is empty. Throws `batch_cost_conflict`. */
function costAfter(stock: StockBalance, line: LedgerLine): Decimal | null {
  if (stock.unitCost === null || line.unitCost === null) return stock.unitCost ?? line.unitCost
  if (stock.unitCost !== line.unitCost) throw costConflictError(line, stock.unitCost)
  return stock.unitCost
}

/** Creates the error for a line whose cost differs from that of its batch. */
export const costConflictError = (line: LedgerLine, cost: Decimal) =>
  inventoryErrors.batchCostDiffers({
    issues: [{ field: ['legs', line.at, 'unitCost'], message: `${describeBalance(line)} costs ${decimalNumber(cost)}.` }],
  })

/** Finds the line that changed a balance. */
const legOf = (lines: readonly LedgerLine[], name: string) =>
  invariant(
    lines.find((line) => balanceKeyOf(line) === name),
    'The leg of a change',
  )

const quantityOverflowError = (lines: readonly LedgerLine[], name: string) =>
  inventoryErrors.balanceTooHigh({ field: ['legs', legOf(lines, name).at, 'quantity'] })

/** Returns an issue for each balance that would fall below its reserved quantity. */
export function findShortages(lines: readonly LedgerLine[], changes: ReadonlyMap<string, BalanceChange>): FieldIssue[] {
  const taking = lines.filter(({ quantity }) => quantity < 0n)
  return [...changes].flatMap(([name, { before, after }]) => {
    if (after.onHand >= after.reserved) return []
    const line = legOf(taking, name)
    const free = decimalNumber(before.onHand - after.reserved)
    const requested = decimalNumber(before.onHand - after.onHand)
    const message = `${describeBalance(line)} has ${free} available, ${requested} requested (${decimalNumber(before.onHand)} on hand, ${decimalNumber(before.reserved)} reserved).`
    return [{ field: ['legs', line.at, 'quantity'], message }]
  })
}

/** Creates the error for stock that is missing or reserved. */
export const stockConflictError = (issues: readonly FieldIssue[]) => inventoryErrors.notEnoughStock({ issues })

/** Throws `limit_reached` where lines exceed the limit of one operation or reservation. */
export function assertLineCount(lines: number) {
  if (lines > LINES_MAX) throw tooManyLinesError()
}

/** Creates the error for an operation or reservation with too many batches. */
export const tooManyLinesError = () => inventoryErrors.tooManyBatches({ linesMax: LINES_MAX })

/** Describes a balance in a message. */
export const describeBalance = ({ namespace, key, batch }: BalanceAddress) => `${namespace}/${key}${batch && `, batch ${batch},`}`
