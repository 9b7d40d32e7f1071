import type { Decimal } from '../../../lib/money/decimal.ts'
import { type Address, assertFewLines, type Line, lesser, nameOf, type OpenLine, type Stock } from '../operations/ledger.ts'
import { type Share, type Short, share } from './share.ts'

interface ChosenBatches {
  readonly lines: Line[]
  readonly short: readonly Short[]
}

/**
 * Chooses batches for lines that take from any: the oldest with stock that the other lines leave free. A transfer puts the same batches
 * into its destinations, in the same order. `stocks` are ordered oldest first. Throws `limit_reached`.
 */
export function chooseBatches(lines: readonly OpenLine[], stocks: ReadonlyMap<string, Stock>): ChosenBatches {
  const taking = lines.filter((line) => line.batch === null && line.quantity < 0n)
  if (taking.length === 0) return { lines: lines.filter(hasBatch), short: [] }
  const moves = lines.some((line) => line.batch === null && line.quantity > 0n)
  const free = new Map([...stocks].map(([name, { onHand, reserved }]) => [name, onHand - reserved]))
  for (const line of lines.filter(hasBatch)) {
    // Stock that a transfer brings does not leave with it, because the moved batches must be known before they are locked.
    if (!moves || line.quantity < 0n) free.set(nameOf(line), (free.get(nameOf(line)) ?? 0n) + line.quantity)
  }
  const { shares, short } = share(taking.map(askedBy), stocks.values(), free)
  const movedBatches = Map.groupBy(shares.map(batchQuantityOf), ({ key }) => key)
  const chosen = lines.flatMap((line) => {
    if (hasBatch(line)) return [line]
    return line.quantity > 0n ? fillBatches(line, movedBatches.get(line.key) ?? []) : sharesOf(line, shares)
  })
  if (short.length === 0) assertFewLines(chosen.length)
  return { lines: chosen, short }
}

const hasBatch = (line: OpenLine): line is Line => line.batch !== null

/** Converts a line that takes stock into a request with a positive quantity. */
export const askedBy = (line: OpenLine) => ({ ...line, quantity: -line.quantity })

/** Splits a line into one line for each batch that it takes from. */
export const sharesOf = (line: OpenLine, shares: readonly Share<OpenLine, Address>[]): Line[] =>
  shares.filter(({ of }) => of.at === line.at).map(({ from, quantity }) => ({ ...line, batch: from.batch, quantity: -quantity }))

interface BatchQuantity {
  readonly key: string
  readonly batch: string
  left: Decimal
}

const batchQuantityOf = ({ from: { key, batch }, quantity }: Share<OpenLine, Stock>): BatchQuantity => ({ key, batch, left: quantity })

/** Distributes the quantity of an incoming line over the moved batches. */
function fillBatches(line: OpenLine, movedBatches: readonly BatchQuantity[]): Line[] {
  const lines: Line[] = []
  let left = line.quantity
  for (const part of movedBatches) {
    const quantity = lesser(part.left, left)
    if (quantity === 0n) continue
    part.left -= quantity
    left -= quantity
    lines.push({ ...line, batch: part.batch, quantity })
  }
  return lines
}
