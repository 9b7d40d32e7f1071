import { isSameRow, type OrderRow } from './row.ts'

/** Page of the list as it was read. */
export interface OrderPage {
  readonly rows: readonly OrderRow[]
  readonly nextCursor: string | null
}

/** Pages of the list that were read so far, each with the cursor that it was read with. */
export interface OrderPages {
  readonly pages: readonly OrderPage[]
  readonly pageParams: readonly (string | null)[]
}

/** Returns all rows, each once: an order that moved between two pages while they were read stands where it was first seen. */
export function rowsOf(pages: readonly OrderPage[]): readonly OrderRow[] {
  const seen = new Set<string>()
  return pages.flatMap(({ rows }) => rows.filter(({ id }) => !seen.has(id) && seen.add(id)))
}

/** Changes those rows for which `change` returns another one. Every other row and page stays the same object. */
export function mapRows(pages: OrderPages, change: (row: OrderRow) => OrderRow): OrderPages {
  let isChanged = false
  const next = pages.pages.map((page) => {
    const rows = page.rows.map((row) => {
      const changed = change(row)
      return isSameRow(row, changed) ? row : changed
    })
    if (rows.every((row, at) => row === page.rows[at])) return page
    isChanged = true
    return { ...page, rows }
  })
  return isChanged ? { ...pages, pages: next } : pages
}

interface MergeOptions {
  readonly isStable: boolean
}

/**
 * Takes over what a page shows now, without moving a row: rows change in place, and rows that left the list are marked. `isStable` is
 * false for a sort in which a change moves rows; none is marked then.
 */
export function mergePage(pages: OrderPages, at: number, fresh: readonly OrderRow[], { isStable }: MergeOptions): OrderPages {
  const now = new Map(fresh.map((row) => [row.id, row]))
  const before = pages.pages[at]?.rows ?? []
  // Rows behind the last known one may only have moved to the next page, because others came before them.
  const lastKnown = before.findLastIndex(({ id }) => now.has(id))
  const gone = new Set(isStable ? before.slice(0, lastKnown + 1).flatMap(({ id }) => (now.has(id) ? [] : [id])) : [])
  return mapRows(pages, (row) => now.get(row.id) ?? (gone.has(row.id) ? { ...row, isGone: true } : row))
}

/** Number of rows of the first page that are in no page that was read. */
export function countNew(pages: OrderPages, fresh: readonly OrderRow[]): number {
  const known = new Set(pages.pages.flatMap(({ rows }) => rows.map(({ id }) => id)))
  return fresh.filter(({ id }) => !known.has(id)).length
}
