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

/** Shows a modal dialog with the browser's own focus handling. Escape closes it, and a click beside it while nothing was typed. */
export function Dialog({ title, shape = 'sheet', beside, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const heading = useId()
  const pressed = useRef(false)
  const isTouched = useRef(false)
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
      onInput={({ target }) => {
        const isOwn = target instanceof Element && target.closest('dialog') === element.current
        if (isOwn && !target.matches('[type=search]')) isTouched.current = true
      }}
      // A selection that is dragged out of a field ends as a click on the dialog.
      onPointerDown={({ target }) => {
        pressed.current = target === element.current
      }}
      onClick={({ target }) => target === element.current && pressed.current && !isTouched.current && onClose()}
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
