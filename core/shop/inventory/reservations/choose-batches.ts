import type { Decimal } from '../../../lib/money/decimal.ts'
import {
  assertLineCount,
  type BalanceAddress,
  balanceKeyOf,
  type LedgerLine,
  minimumOf,
  type RequestedLine,
  type StockBalance,
} from '../operations/ledger.ts'
import { type Allocation, allocateStock, type Shortage } from './allocate-stock.ts'

interface ChosenBatches {
  readonly lines: LedgerLine[]
  readonly short: readonly Shortage[]
}

/**
 * Chooses batches for lines that take from any: the oldest with stock that the other lines leave free. A transfer puts the same batches
 * into its destinations, in the same order. `stocks` are ordered oldest first. Throws `limit_reached`.
 */
export function chooseBatches(lines: readonly RequestedLine[], stocks: ReadonlyMap<string, StockBalance>): ChosenBatches {
  const taking = lines.filter((line) => line.batch === null && line.quantity < 0n)
  if (taking.length === 0) return { lines: lines.filter(hasBatch), short: [] }
  const moves = lines.some((line) => line.batch === null && line.quantity > 0n)
  const free = new Map([...stocks].map(([name, { onHand, reserved }]) => [name, onHand - reserved]))
  for (const line of lines.filter(hasBatch)) {
    // Stock that a transfer brings does not leave with it, because the moved batches must be known before they are locked.
    if (!moves || line.quantity < 0n) free.set(balanceKeyOf(line), (free.get(balanceKeyOf(line)) ?? 0n) + line.quantity)
  }
  const { shares, short } = allocateStock(taking.map(toStockRequest), stocks.values(), free)
  const movedBatches = Map.groupBy(shares.map(batchQuantityOf), ({ key }) => key)
  const chosen = lines.flatMap((line) => {
    if (hasBatch(line)) return [line]
    return line.quantity > 0n ? fillBatches(line, movedBatches.get(line.key) ?? []) : splitByBatch(line, shares)
  })
  if (short.length === 0) assertLineCount(chosen.length)
  return { lines: chosen, short }
}

const hasBatch = (line: RequestedLine): line is LedgerLine => line.batch !== null

/** Converts a line that takes stock into a request with a positive quantity. */
export const toStockRequest = (line: RequestedLine) => ({ ...line, quantity: -line.quantity })

/** Splits a line into one line for each batch that it takes from. */
export const splitByBatch = (line: RequestedLine, shares: readonly Allocation<RequestedLine, BalanceAddress>[]): LedgerLine[] =>
  shares
    .filter(({ request: of }) => of.at === line.at)
    .map(({ source: from, quantity }) => ({ ...line, batch: from.batch, quantity: -quantity }))

interface BatchQuantity {
  readonly key: string
  readonly batch: string
  left: Decimal
}

const batchQuantityOf = ({ source: { key, batch }, quantity }: Allocation<RequestedLine, StockBalance>): BatchQuantity => ({
  key,
  batch,
  left: quantity,
})

/** Distributes the quantity of an incoming line over the moved batches. */
function fillBatches(line: RequestedLine, movedBatches: readonly BatchQuantity[]): LedgerLine[] {
  const lines: LedgerLine[] = []
  let left = line.quantity
  for (const part of movedBatches) {
    const quantity = minimumOf(part.left, left)
    if (quantity === 0n) continue
    part.left -= quantity
    left -= quantity
    lines.push({ ...line, batch: part.batch, quantity })
  }
  return lines
}
