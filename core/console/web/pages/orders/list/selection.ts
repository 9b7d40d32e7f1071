import { useCallback, useMemo, useRef, useState } from 'preact/hooks'
import type { OrderRow } from './row.ts'

/** Chosen rows: some by their ids, or all that match the filters, also those that were never loaded. */
export interface Selection {
  readonly ids: ReadonlySet<string>
  readonly isAll: boolean
}

const nothing: Selection = { ids: new Set(), isAll: false }

/** Keeps which rows are chosen. A range goes from the row that was chosen last. */
export function useSelection(rows: readonly OrderRow[]) {
  const [selection, setSelection] = useState<Selection>(nothing)
  const current = useRef(rows)
  current.current = rows
  const anchor = useRef(0)
  const choose = useCallback((first: number, at: number) => {
    setSelection(({ ids, isAll }) => {
      const loaded = current.current
      const chosen = new Set(isAll ? loaded.map(({ id }) => id) : ids)
      const row = loaded[at]
      if (!row) return { ids, isAll }
      const isAdding = !chosen.has(row.id)
      for (const { id } of loaded.slice(Math.min(first, at), Math.max(first, at) + 1)) isAdding ? chosen.add(id) : chosen.delete(id)
      return { ids: chosen, isAll: false }
    })
    anchor.current = at
  }, [])
  const toggle = useCallback((at: number) => choose(at, at), [choose])
  const toggleRange = useCallback((at: number) => choose(anchor.current, at), [choose])
  const chooseLoaded = useCallback(() => setSelection({ ids: new Set(current.current.map(({ id }) => id)), isAll: false }), [])
  const chooseAll = useCallback(() => setSelection({ ids: new Set(), isAll: true }), [])
  const clear = useCallback(() => setSelection(nothing), [])
  return useMemo(
    () => ({ selection, toggle, toggleRange, chooseLoaded, chooseAll, clear }),
    [selection, toggle, toggleRange, chooseLoaded, chooseAll, clear],
  )
}

/** Returns true if nothing is chosen. */
export const isEmpty = ({ ids, isAll }: Selection): boolean => !isAll && ids.size === 0
