import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { placeBeside } from './place-beside.ts'

interface MenuProps {
  /** Accessible name of a button that shows an icon alone. */
  readonly label?: string
  readonly button: ComponentChildren
  readonly class?: string
  readonly children: ComponentChildren
}

/** Shows a button that opens a menu in the top layer, beside the button and inside the window. A choice closes it. */
export function Menu({ label, button, class: name = 'button quiet icon', children }: MenuProps) {
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  return (
    <>
      <button type="button" ref={opener} class={name} aria-label={label} aria-haspopup="menu" popovertarget={id}>
        {button}
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: its buttons take the keys. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a choice bubbles up to close the menu. */}
      <div
        id={id}
        ref={list}
        class="menu"
        popover="auto"
        onToggle={({ newState }) => newState === 'open' && opener.current && list.current && placeBeside(opener.current, list.current)}
        onClick={() => list.current?.hidePopover()}
      >
        {children}
      </div>
    </>
  )
}
