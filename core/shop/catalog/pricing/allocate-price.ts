import type { Decimal } from '../../../lib/money/decimal.ts'

/** Part that receives a share of a price, weighted by the worth of all its pieces together. */
export interface PricePart {
  readonly worth: Decimal
  readonly pieces: number
}

/** Pieces of a part that have one unit price. */
export interface PricedPieces {
  readonly pieces: number
  /** Price of one piece. */
  readonly unitPrice: Decimal
}

/**
 * Allocates a price to parts by their worth, or by their pieces where nothing has a worth. The shares add up to the price exactly.
 * `step` is the smallest amount of the currency, and `price` is a multiple of it. A share that does not divide gives pieces of two prices,
 * one step apart.
 */
export function allocatePrice(price: Decimal, step: Decimal, parts: readonly PricePart[]): readonly (readonly PricedPieces[])[] {
  const steps = price / step
  const total = parts.reduce((sum, { worth }) => sum + worth, 0n)
  const weights = parts.map(({ worth, pieces }) => (total > 0n ? worth : BigInt(pieces)))
  const all = weights.reduce((sum, weight) => sum + weight, 0n)
  let [reached, given] = [0n, 0n]
  return parts.map(({ pieces }, at) => {
    reached += weights[at] ?? 0n
    // Rounds at the end of each part, so that a rounding loss of one part goes to the next.
    const until = (steps * reached * 2n + all) / (all * 2n)
    const own = until - given
    given = until
    return splitPieces(own, pieces, step)
  })
}

function splitPieces(steps: bigint, pieces: number, step: Decimal): readonly PricedPieces[] {
  const [low, dearer] = [steps / BigInt(pieces), Number(steps % BigInt(pieces))]
  return [
    { pieces: pieces - dearer, unitPrice: low * step },
    { pieces: dearer, unitPrice: (low + 1n) * step },
  ].filter((part) => part.pieces > 0)
}
