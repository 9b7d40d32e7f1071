import type { RefObject } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { density } from '../session/appearance.ts'

/** Rows above and below the window that are drawn too, so that scrolling meets no gap. */
const MARGIN = 12
/** Rows by which the drawn part moves at once. */
const STEP = 6

interface Part {
  readonly from: number
  readonly to: number
}

/**
 * Decides which rows of a long list are drawn, while the document scrolls. Every row has the same height, which is measured at the first
 * one. Returns the drawn part, the height of a row, and a function that brings a row into view.
 */
export function useWindowRows(body: RefObject<HTMLElement | null>, count: number) {
  const [height, setHeight] = useState(40)
  const [part, setPart] = useState<Part>({ from: 0, to: 50 })
  const dense = density.value
  const update = useCallback(() => {
    if (!body.current) return
    const top = -body.current.getBoundingClientRect().top
    const from = Math.max(0, Math.floor((top / height - MARGIN) / STEP) * STEP)
    const to = Math.ceil(((top + innerHeight) / height + MARGIN) / STEP) * STEP
    setPart((before) => (before.from === from && before.to === to ? before : { from, to }))
  }, [body, height])
  useLayoutEffect(() => {
    const measure = () => {
      const row = body.current?.querySelector('[data-row]')
      if (row) setHeight(row.getBoundingClientRect().height)
    }
    measure()
    addEventListener('resize', measure)
    return () => removeEventListener('resize', measure)
  }, [body, count > 0, dense])
  useEffect(() => {
    update()
    addEventListener('scroll', update, { passive: true })
    addEventListener('resize', update)
    return () => {
      removeEventListener('scroll', update)
      removeEventListener('resize', update)
    }
  }, [update])
  /** Scrolls so far that a row is wholly in view, below what sticks to the top and above what sticks to the bottom. */
  const reveal = useCallback(
    (row: number, { top, bottom }: { readonly top: number; readonly bottom: number }) => {
      if (!body.current) return
      const start = body.current.getBoundingClientRect().top + row * height
      if (start < top) scrollBy({ top: start - top, behavior: 'instant' })
      else if (start + height > innerHeight - bottom) scrollBy({ top: start + height - innerHeight + bottom, behavior: 'instant' })
      update()
    },
    [body, height, update],
  )
  return { from: Math.min(part.from, count), to: Math.min(part.to, count), height, reveal }
}
