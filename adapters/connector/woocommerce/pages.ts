import { instant, isRow } from 'serai/connector'

export const PAGE = 50
export const UTC = '+00:00'
const SECOND_MS = 1000

const changedAt = (row: unknown): string | undefined =>
  isRow(row) ? instant(row.date_modified_gmt ?? row.date_created_gmt, UTC) : undefined

/** Start of a page: an offset into the orders changed after a time, and their total. */
interface Place {
  readonly after: string
  readonly offset: number
  readonly total: number
}

/**
 * Returns the orders to keep, and the cursor. Orders of the last second are left to the next page, since this one may not hold all of them.
 */
export function pageIn(found: readonly unknown[], { after, offset, total }: Place): { taken: readonly unknown[]; next: string | null } {
  const isLast = Number.isInteger(total) ? offset + found.length >= total : found.length < PAGE
  if (found.length === 0 || isLast) return { taken: found, next: null }
  const moments = found.map(changedAt)
  const end = moments.findLast((moment) => moment !== undefined)
  const from = end === undefined ? Number.NaN : Date.parse(end) - SECOND_MS
  const taken = found.filter((_, at) => moments[at] !== end)
  const goesOn = from > (after === '' ? 0 : Date.parse(after))
  if (goesOn && taken.length > 0) return { taken, next: `${new Date(from).toISOString()} 0` }
  // More orders in one second than a page holds: half of it is read twice, so that deletions shift no order past the reader.
  return { taken: found, next: `${after} ${offset + PAGE / 2}` }
}
