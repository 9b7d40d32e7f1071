import type { Decimal } from '../../../lib/money/decimal.ts'

/** What is shared out is worth so much by itself, all pieces of it together. */
export interface Part {
  readonly worth: Decimal
  readonly pieces: number
}

export interface Pieces {
  readonly pieces: number
  /** What each of them costs. */
  readonly each: Decimal
}

/**
 * A price over parts, by what they are worth; where nothing is worth anything, by their pieces. Adds up to the last `step`, the least amount of
 * the currency, of which the price is a whole number: a part whose share does not divide has pieces of two prices, a step apart.
 */
export function shareOut(price: Decimal, step: Decimal, parts: readonly Part[]): readonly (readonly Pieces[])[] {
  const steps = price / step
  const total = parts.reduce((sum, { worth }) => sum + worth, 0n)
  const weights = parts.map(({ worth, pieces }) => (total > 0n ? worth : BigInt(pieces)))
  const all = weights.reduce((sum, weight) => sum + weight, 0n)
  let [reached, given] = [0n, 0n]
  return parts.map(({ pieces }, at) => {
    reached += weights[at] ?? 0n
    // Rounded where each part ends, so that what one loses the next one has.
    const until = (steps * reached * 2n + all) / (all * 2n)
    const own = until - given
    given = until
    return piecesOf(own, pieces, step)
  })
}

function piecesOf(steps: bigint, pieces: number, step: Decimal): readonly Pieces[] {
  const [low, dearer] = [steps / BigInt(pieces), Number(steps % BigInt(pieces))]
  return [
    { pieces: pieces - dearer, each: low * step },
    { pieces: dearer, each: (low + 1n) * step },
  ].filter((part) => part.pieces > 0)
}
