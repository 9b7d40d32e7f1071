import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { t } from '../words/words.ts'
import { Icon } from './icons.tsx'

interface DialogProps {
  readonly title: string
  /** `drawer` stands at the end of the window over a list; `sheet` in the middle, or at the bottom of a phone. */
  readonly shape?: 'sheet' | 'drawer'
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** Shows a modal dialog with the browser's own focus handling. Escape and a click beside it close it. */
export function Dialog({ title, shape = 'sheet', onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog too, by the browser itself.
    <dialog
      ref={element}
      class={shape}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={({ target }) => target === element.current && onClose()}
    >
      <div class="sheet-body">
        <div class="dialog-head">
          <h2 id={heading}>{title}</h2>
          <button type="button" class="button quiet icon" aria-label={t('close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
