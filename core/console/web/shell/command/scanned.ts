import { useEffect } from 'preact/hooks'

/** Characters of a reference or tracking number. */
const NUMBER = /^[A-Za-z0-9-]{6,40}$/
/** Longest pause between two keys of a scanner; people type more slowly. */
const PAUSE_MS = 60

/** Returns true for a typed text that may be a scanned reference or tracking number. */
export const isScannable = (text: string): boolean => NUMBER.test(text.trim()) && /\d/.test(text)

/** Calls back with a number that a scanner types outside any field: fast letters and digits, then Enter. */
export function useScanner(onScan: (number: string) => void, { isActive }: { readonly isActive: boolean }): void {
  useEffect(() => {
    if (!isActive) return
    let [typed, lastAt] = ['', 0]
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return
      // A key that is held down repeats as fast as a scanner types.
      if (event.repeat || !isFree()) return
      const isFast = event.timeStamp - lastAt <= PAUSE_MS
      lastAt = event.timeStamp
      if (isFast && event.key.length === 1) stop(event)
      if (event.key !== 'Enter') typed = event.key.length === 1 ? (isFast ? typed : '') + event.key : isFast ? typed : ''
      else if (isFast && NUMBER.test(typed)) {
        // The row under the cursor must not open as well.
        stop(event)
        onScan(typed)
        typed = ''
      }
    }
    addEventListener('keydown', onKey, { capture: true })
    return () => removeEventListener('keydown', onKey, { capture: true })
  }, [onScan, isActive])
}

/** Keeps a key of a scanner from the keys of the page. */
function stop(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}

/** Returns true while nothing stands over the page but a drawer, which the next scan replaces. */
function isFree(): boolean {
  const open = [...document.querySelectorAll('dialog[open]')]
  return open.length < 2 && open.every(({ classList }) => classList.contains('drawer'))
}

const isField = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input:not([type=checkbox]), textarea, select') !== null
