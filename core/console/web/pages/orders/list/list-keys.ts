import { useCallback, useRef, useState } from 'preact/hooks'
import { useKeys } from '../../../ui/keys.ts'
import { isEmpty, type useSelection } from './selection.ts'

/** Keeps the row that the keys work on; null before the first key. Keys that come faster than the page is drawn count each. */
export function useCursor() {
  const [cursor, draw] = useState<number | null>(null)
  const current = useRef(cursor)
  const setCursor = useCallback((at: number | null) => {
    current.current = at
    draw(at)
  }, [])
  return { cursor, current, setCursor }
}

interface ListKeys {
  readonly count: number
  readonly at: ReturnType<typeof useCursor>
  readonly choice: ReturnType<typeof useSelection>
  readonly canSelect: boolean
  readonly isActive: boolean
}

/** Keys of the list: to go through its rows and to choose them. A row opens with Enter by itself, because its link has the focus. */
export function useListKeys({ count, at: { current, setCursor }, choice, canSelect, isActive }: ListKeys): void {
  const step = (by: number) => setCursor(Math.max(0, Math.min(count - 1, current.current === null ? 0 : current.current + by)))
  const onRow = (act: (at: number) => void) => (canSelect ? () => current.current !== null && act(current.current) : undefined)
  useKeys(
    {
      j: count > 0 ? () => step(1) : undefined,
      k: count > 0 ? () => step(-1) : undefined,
      x: onRow(choice.toggle),
      'shift+x': onRow(choice.toggleRange),
      Escape: isEmpty(choice.selection) ? undefined : choice.clear,
    },
    { isActive },
  )
}
