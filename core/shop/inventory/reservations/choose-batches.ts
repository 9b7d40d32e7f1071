import type { Decimal } from '../../../lib/money/decimal.ts'
import { type Address, assertFewLines, type Line, lesser, nameOf, type OpenLine, type Stock } from '../operations/ledger.ts'
import { type Share, type Short, share } from './share.ts'

interface Chosen {
  readonly lines: Line[]
  readonly short: readonly Short[]
}

/**
 * Gives each line that takes from any batch those that it takes from: the oldest that have something free beside what the other
 * lines take and put. What a transfer takes so is put elsewhere in the same batches, in the same order. `stocks` are the oldest first.
 * Throws `limit_reached` where there are too many.
 */
export function chooseBatches(lines: readonly OpenLine[], stocks: ReadonlyMap<string, Stock>): Chosen {
  const taking = lines.filter((line) => line.batch === null && line.quantity < 0n)
  if (taking.length === 0) return { lines: lines.filter(isNamed), short: [] }
  const moves = lines.some((line) => line.batch === null && line.quantity > 0n)
  const free = new Map([...stocks].map(([name, { onHand, reserved }]) => [name, onHand - reserved]))
  for (const line of lines.filter(isNamed)) {
    // What a transfer brings does not leave with it: which batches it takes along must be known before they are locked.
    if (!moves || line.quantity < 0n) free.set(nameOf(line), (free.get(nameOf(line)) ?? 0n) + line.quantity)
  }
  const { shares, short } = share(taking.map(askedBy), stocks.values(), free)
  const goods = Map.groupBy(shares.map(partOf), ({ key }) => key)
  const chosen = lines.flatMap((line) => {
    if (isNamed(line)) return [line]
    return line.quantity > 0n ? follow(line, goods.get(line.key) ?? []) : sharesOf(line, shares)
  })
  if (short.length === 0) assertFewLines(chosen.length)
  return { lines: chosen, short }
}

const isNamed = (line: OpenLine): line is Line => line.batch !== null

/** A line that takes, as what it asks for. */
export const askedBy = (line: OpenLine) => ({ ...line, quantity: -line.quantity })

/** The lines that a line becomes, one for each batch that it takes from. */
export const sharesOf = (line: OpenLine, shares: readonly Share<OpenLine, Address>[]): Line[] =>
  shares.filter(({ of }) => of.at === line.at).map(({ from, quantity }) => ({ ...line, batch: from.batch, quantity: -quantity }))

interface Part {
  readonly key: string
  readonly batch: string
  left: Decimal
}

const partOf = ({ from: { key, batch }, quantity }: Share<OpenLine, Stock>): Part => ({ key, batch, left: quantity })

/** Puts as much of the goods as the line says. */
function follow(line: OpenLine, goods: readonly Part[]): Line[] {
  const lines: Line[] = []
  let left = line.quantity
  for (const part of goods) {
    const quantity = lesser(part.left, left)
    if (quantity === 0n) continue
    part.left -= quantity
    left -= quantity
    lines.push({ ...line, batch: part.batch, quantity })
  }
  return lines
}
