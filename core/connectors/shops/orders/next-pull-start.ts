import type { ShopSyncRow } from '../shop-sync.queries.ts'

/** Overlap of two pulls, in milliseconds: shops show changes late, and clocks differ. */
const OVERLAP_MS = 10 * 60_000

/** Returns the start of the next pull, unless one is given: shortly before the end of the last pull, or before the shop was connected. */
export const nextPullStartOf = ({ pulledUntil }: Pick<ShopSyncRow, 'pulledUntil'>): string =>
  new Date(Date.parse(pulledUntil) - OVERLAP_MS).toISOString()
