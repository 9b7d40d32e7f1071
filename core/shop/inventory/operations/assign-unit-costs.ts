import { invariant } from '../../../lib/invariant.ts'
import { type Decimal, decimalNumber } from '../../../lib/money/decimal.ts'
import { inventoryErrors } from '../inventory.errors.ts'
import type { OperationType } from '../inventory.model.ts'
import { balanceKeyOf, costConflictError, type LedgerLine, type StockBalance } from './ledger.ts'

/** Value units per cost unit. A value is quantity × unit cost in hundred-millionths, and exact. */
const VALUE_PER_COST = 10_000n

/**
 * Assigns to each line the unit cost at which it moves. `balances` are those that the lines take from. Throws `batch_cost_conflict`,
 * `unbalanced_operation`.
 */
export function assignUnitCosts(
  type: OperationType,
  lines: readonly LedgerLine[],
  balances: ReadonlyMap<string, StockBalance>,
): LedgerLine[] {
  const costed = lines.map((line) => (line.quantity < 0n ? assignOutgoingCost(line, balances.get(balanceKeyOf(line))) : line))
  if (type === 'transfer') return carryCosts(costed)
  if (type === 'convert') return balanceConversion(costed)
  return costed
}

/** Assigns the cost of the batch to an outgoing line. Throws `batch_cost_conflict` where the leg names another cost. */
function assignOutgoingCost(line: LedgerLine, stock: StockBalance | undefined): LedgerLine {
  const known = stock?.unitCost ?? null
  if (known !== null && line.unitCost !== null && known !== line.unitCost) throw costConflictError(line, known)
  return { ...line, unitCost: known ?? line.unitCost }
}

/**
 * Assigns to the incoming lines of a transfer the cost of their batch at the source. Throws `batch_cost_conflict` where one batch would get
 * two costs.
 */
function carryCosts(lines: readonly LedgerLine[]): LedgerLine[] {
  const costs = new Map<string, Decimal>()
  const costed = (line: LedgerLine): LedgerLine => {
    const batchKey = `${line.key}\n${line.batch}`
    const carried = costs.get(batchKey) ?? line.unitCost
    if (carried === null) return line
    if (line.unitCost !== null && line.unitCost !== carried) throw costConflictError(line, carried)
    costs.set(batchKey, carried)
    return { ...line, unitCost: carried }
  }
  for (const line of lines) if (line.quantity < 0n && line.unitCost !== null) costed(line)
  return lines.map((line) => (line.quantity < 0n ? line : costed(line)))
}

/**
 * Assigns the value of the consumed stock to the produced stock. Throws `unbalanced_operation` where the values differ, or where two legs
 * leave the cost out.
 */
function balanceConversion(lines: readonly LedgerLine[]): LedgerLine[] {
  const consumed = lines.filter((line) => line.quantity < 0n)
  const produced = lines.filter((line) => line.quantity > 0n)
  const open = produced.filter((line) => line.unitCost === null)
  if (open.length === produced.length && consumed.every((line) => line.unitCost === null)) return [...lines]
  const left = -totalValueOf(lines)
  const first = invariant(produced[0], 'What a conversion produces')
  const [filling, another] = open
  if (another) throw unbalancedError(another, 'Only one "out" leg may leave out its unitCost.')
  if (left < 0n) throw unbalancedError(first, `The produced stock has ${valueText(-left)} more value than the consumed stock.`)
  if (!filling && left > 0n) throw unbalancedError(first, `The produced stock has ${valueText(left)} less value than the consumed stock.`)
  return lines.flatMap((line) => (line === filling ? splitValue(line, left) : [line]))
}

/**
 * Distributes a value over the quantity of a line exactly. A remainder goes to a second batch, whose unit cost is one ten-thousandth
 * higher.
 */
function splitValue(line: LedgerLine, value: bigint): LedgerLine[] {
  const cost = value / line.quantity
  const dearer = value % line.quantity
  if (dearer === 0n) return [{ ...line, unitCost: cost }]
  return [
    { ...line, quantity: line.quantity - dearer, unitCost: cost },
    { ...line, batch: `${line.batch}-2`, quantity: dearer, unitCost: cost + 1n },
  ]
}

const totalValueOf = (lines: readonly LedgerLine[]) => lines.reduce((sum, { quantity, unitCost }) => sum + quantity * (unitCost ?? 0n), 0n)

/** Formats a value for a message, rounded down to four decimals. */
const valueText = (value: bigint) => decimalNumber(value / VALUE_PER_COST)

const unbalancedError = (line: LedgerLine, message: string) =>
  inventoryErrors.conversionUnbalanced({
    issues: [{ field: ['legs', line.at, 'unitCost'], message }],
  })
