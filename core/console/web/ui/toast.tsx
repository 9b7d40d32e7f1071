import { signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'

interface Toast {
  readonly id: number
  readonly text: string
  readonly action?: { readonly label: string; readonly run: () => void }
}

const LIFE_MS = 8_000
const MOST = 3
const shown = signal<readonly Toast[]>([])
let last = 0

/** Shows a message for 8 s, with an action such as *Undo* beside it. At most three stand at once. Returns a function that removes it. */
export function showToast(text: string, action?: Toast['action']): () => void {
  last += 1
  const id = last
  const remove = () => {
    shown.value = shown.value.filter((toast) => toast.id !== id)
  }
  shown.value = [...shown.value, { id, text, ...(action && { action }) }].slice(-MOST)
  setTimeout(remove, LIFE_MS)
  return remove
}

/** Open dialogs, the topmost last. A modal dialog makes everything beside it unreachable, so it shows the messages itself. */
const layers = signal<readonly string[]>([])

/** Makes a dialog the one that shows the messages while it is open. */
export function useToastLayer(id: string): void {
  useLayoutEffect(() => {
    layers.value = [...layers.value, id]
    return () => {
      layers.value = layers.value.filter((each) => each !== id)
    }
  }, [id])
}

/** Shows the current messages, in the topmost dialog or on the page where none is open. */
export function Toasts({ layer }: { readonly layer?: string }) {
  if (layers.value.at(-1) !== layer) return null
  return (
    <div class="toasts" role="status">
      {shown.value.map(({ id, text, action }) => (
        <div class="toast" key={id}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              onClick={() => {
                shown.value = shown.value.filter((toast) => toast.id !== id)
                action.run()
              }}
            >
              {action.label}
            </button>
          )}
        </div>
      ))}
    </div>
  )
}
