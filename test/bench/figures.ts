/** The middle one, or between the two in the middle. */
export const median = (values: readonly number[]) => quantile(values, 0.5)

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * part
  const below = sorted[Math.floor(at)] ?? Number.NaN
  const above = sorted[Math.ceil(at)] ?? Number.NaN
  return below + (above - below) * (at - Math.floor(at))
}

export const ROUNDS = 4

export interface Compared {
  readonly ours: number
  readonly ceiling: number
}

/** Both in turns, so that whatever else the machine does meets both; the median of each. */
export async function compare(ours: () => Promise<number>, ceiling: () => Promise<number>): Promise<Compared> {
  const rounds: Compared[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push({ ceiling: await ceiling(), ours: await ours() })
  return { ours: median(rounds.map((each) => each.ours)), ceiling: median(rounds.map((each) => each.ceiling)) }
}
