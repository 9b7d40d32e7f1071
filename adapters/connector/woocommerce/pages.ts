import { instant, isRow } from 'serai/connector'

export const PAGE = 50
export const UTC = '+00:00'
const SECOND_MS = 1000

const changedAt = (row: unknown): string | undefined =>
  isRow(row) ? instant(row.date_modified_gmt ?? row.date_created_gmt, UTC) : undefined

/** Where a page begins: so many rows on from those that were changed after this, of so many in all. */
interface Place {
  readonly after: string
  readonly offset: number
  readonly total: number
}

/** What of a page is taken, and where the next one begins: with all of the second in which this one ends, of which it may not hold all. */
export function pageIn(found: readonly unknown[], { after, offset, total }: Place): { taken: readonly unknown[]; next: string | null } {
  const isLast = Number.isInteger(total) ? offset + found.length >= total : found.length < PAGE
  if (found.length === 0 || isLast) return { taken: found, next: null }
  const moments = found.map(changedAt)
  const end = moments.findLast((moment) => moment !== undefined)
  const from = end === undefined ? Number.NaN : Date.parse(end) - SECOND_MS
  const taken = found.filter((_, at) => moments[at] !== end)
  const goesOn = from > (after === '' ? 0 : Date.parse(after))
  if (goesOn && taken.length > 0) return { taken, next: `${new Date(from).toISOString()} 0` }
  // More of one second than a page holds: half of it is read twice, so that nothing moves past us there either.
  return { taken: found, next: `${after} ${offset + PAGE / 2}` }
}
