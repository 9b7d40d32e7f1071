import type { ChannelRow } from '../channels.queries.ts'

/** Shops are slow to show what they changed, and clocks differ. */
const OVERLAP_MS = 10 * 60_000

/** Time from which the next reading begins unless another is named: a little before the last one ended, or before the shop was connected. */
export const nextSinceOf = ({ pulledUntil }: Pick<ChannelRow, 'pulledUntil'>): string =>
  new Date(Date.parse(pulledUntil) - OVERLAP_MS).toISOString()
