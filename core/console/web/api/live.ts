import { useEffect, useRef } from 'preact/hooks'

/** Milliseconds between two looks at what may have changed. */
const POLL_MS = 15_000

/** Calls back when something of a store may have changed, while the page is visible, and when it becomes visible again. */
export function useStoreChanges(storeId: string, onChange: () => void): void {
  const current = useRef(onChange)
  current.current = onChange
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && current.current()
    const timer = setInterval(look, POLL_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [storeId])
}
