import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../words/words.ts'
import { Icon } from './icons.tsx'
import { Toasts, useToastLayer } from './toast.tsx'

interface DialogProps {
  readonly title: string
  /** `drawer` stands at the end of the window over a list; `sheet` in the middle, or at the bottom of a phone. */
  readonly shape?: 'sheet' | 'drawer'
  /** Shown between the title and the button that closes: a status, a menu. */
  readonly beside?: ComponentChildren
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** Shows a modal dialog with the browser's own focus handling. Escape and a click beside it close it. */
export function Dialog({ title, shape = 'sheet', beside, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useToastLayer(heading)
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    // A drawer has the focus itself, so that its keys work at once; a sheet gives it to the control with `data-first`, or the first.
    if (shape === 'drawer') dialog?.focus()
    else dialog?.querySelector<HTMLElement>('[data-first]')?.focus()
    return () => dialog?.close()
  }, [shape])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog too, by the browser itself.
    <dialog
      ref={element}
      class={shape}
      tabIndex={shape === 'drawer' ? -1 : undefined}
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
          {beside}
          <button type="button" class="button quiet icon" aria-label={t('close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
      <Toasts layer={heading} />
    </dialog>
  )
}
