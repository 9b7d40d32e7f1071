import { useLayoutEffect, useRef } from 'preact/hooks'

/** Keys of a page: what each does. A key is a letter or digit as on a Latin keyboard, a name such as `Enter`, or a pair such as `g o`. */
export type Keys = Readonly<Record<string, ((event: KeyboardEvent) => void) | undefined>>

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))

/** Returns the key by its letter and, on a keyboard of another script, by its place: `ي` on the key of `d` is `d`. */
export function keyOf({ key, code, shiftKey }: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string {
  const latin = /^[\x20-\x7e]$/.test(key) ? key.toLowerCase() : undefined
  const byPlace = code === 'Slash' ? '/' : /^(?:Key|Digit|Numpad)(\w)$/.exec(code)?.[1]?.toLowerCase()
  const name = key.length > 1 ? key : (latin ?? byPlace ?? key)
  return shiftKey && /^[a-z]$/.test(name) ? `shift+${name}` : name
}

/** Time in milliseconds in which the second key of a pair such as `g o` must follow. */
const PAIR_MS = 1_500
const FIRST_OF_PAIR = 'g'
const names = new WeakMap<KeyboardEvent, string>()
let pairUntil = 0

/** Returns the key of an event, or the pair that it completes: `o` after `g` is `g o`. All listeners get the same answer. */
function nameOf(event: KeyboardEvent): string {
  const known = names.get(event)
  if (known !== undefined) return known
  const key = keyOf(event)
  const name = event.timeStamp < pairUntil ? `${FIRST_OF_PAIR} ${key}` : key
  pairUntil = name === FIRST_OF_PAIR ? event.timeStamp + PAIR_MS : 0
  names.set(event, name)
  return name
}

/** Listens to the keys of a page while it is shown: not inside fields, not with ⌘, Ctrl or Alt, and not behind a dialog. */
export function useKeys(keys: Keys, { isActive = true }: { readonly isActive?: boolean } = {}): void {
  const current = useRef(keys)
  current.current = keys
  useLayoutEffect(() => {
    if (!isActive) return
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (document.querySelector('dialog[open]') && !(event.target instanceof Element && event.target.closest('dialog[open]'))) return
      const run = current.current[nameOf(event)]
      if (!run) return
      event.preventDefault()
      run(event)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isActive])
}
