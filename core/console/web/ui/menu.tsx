import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

interface MenuProps {
  /** Accessible name of a button that shows an icon alone. */
  readonly label?: string
  readonly button: ComponentChildren
  readonly class?: string
  readonly children: ComponentChildren
}

const GAP = 4

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

function placeBeside(opener: HTMLElement, list: HTMLElement): void {
  const [from, size] = [opener.getBoundingClientRect(), list.getBoundingClientRect()]
  const isBelow = from.bottom + GAP + size.height <= innerHeight || from.top < size.height
  const start = document.documentElement.dir === 'rtl' ? from.right - size.width : from.left
  list.style.margin = '0'
  list.style.inset = 'auto'
  list.style.top = `${Math.max(GAP, isBelow ? Math.min(from.bottom + GAP, innerHeight - size.height - GAP) : from.top - size.height - GAP)}px`
  list.style.setProperty('left', `${Math.min(Math.max(GAP, start), innerWidth - size.width - GAP)}px`)
}
