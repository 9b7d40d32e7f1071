import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../words/words.ts'
import { placeBeside } from '../place-beside.ts'

interface ComboboxProps<Item> {
  /** Text in the field. */
  readonly text: string
  readonly onText: (text: string) => void
  /** Suggestions for the text, best first. */
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  readonly show: (item: Item) => ComponentChildren
  readonly onChoose: (item: Item) => void
  /** Runs when the field is left, so that a text may still be matched. */
  readonly onLeave?: () => void
  readonly isWaiting?: boolean
  /** Shown where no suggestion fits; nothing is shown without it. */
  readonly none?: string
  readonly [attribute: string]: unknown
}

/** Shows a field with suggestions below it. Arrows move, Enter chooses, Escape closes; a text of one's own stays possible. */
export function Combobox<Item>(props: ComboboxProps<Item>) {
  const { text, onText, items, keyOf, show, onChoose, onLeave, isWaiting = false, none, ...field } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const isShown = isOpen && (items.length > 0 || (none !== undefined && text.trim() !== '' && !isWaiting))
  usePopover({ input, list, isShown, items })
  const current = isShown ? items[active] : undefined
  const choose = (item: Item) => {
    setOpen(false)
    onChoose(item)
  }
  const move = (step: number) => {
    setOpen(true)
    setActive((at) => (items.length === 0 ? -1 : (Math.max(at, step > 0 ? -1 : 0) + step + items.length) % items.length))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(event.key === 'ArrowDown' ? 1 : -1)
    else if (event.key === 'Enter' && current !== undefined) choose(current)
    else if (event.key === 'Escape' && isShown) setOpen(false)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      <input
        {...field}
        ref={input}
        role="combobox"
        autocomplete="off"
        value={text}
        aria-expanded={isShown}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={current === undefined ? undefined : `${id}-${active}`}
        onInput={({ currentTarget }) => {
          setOpen(true)
          setActive(-1)
          onText(currentTarget.value)
        }}
        onClick={() => setOpen(true)}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onKeyDown={onKeyDown}
        onBlur={() => {
          setOpen(false)
          onLeave?.()
        }}
      />
      <div ref={list} class="suggestions" popover="manual">
        <div id={id} role="listbox" aria-label={t('suggestions')}>
          {isShown &&
            items.map((item, at) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and takes the keys.
              <div
                key={keyOf(item)}
                id={`${id}-${at}`}
                role="option"
                tabIndex={-1}
                aria-selected={at === active}
                onPointerMove={() => setActive(at)}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(item)}
              >
                {show(item)}
              </div>
            ))}
        </div>
        {isShown && items.length === 0 && <p class="muted">{none}</p>}
      </div>
    </>
  )
}

interface PopoverState {
  readonly input: { readonly current: HTMLElement | null }
  readonly list: { readonly current: HTMLElement | null }
  readonly isShown: boolean
  readonly items: readonly unknown[]
}

/** Shows the suggestions beside their field, in the top layer, and keeps them there while something scrolls. */
function usePopover({ input, list, isShown, items }: PopoverState): void {
  const place = () => {
    if (!input.current || !list.current) return
    list.current.style.inlineSize = `${input.current.getBoundingClientRect().width}px`
    placeBeside(input.current, list.current)
  }
  useLayoutEffect(() => {
    list.current?.togglePopover(isShown)
    if (isShown) place()
  }, [isShown, items])
  useLayoutEffect(() => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }))
  useEffect(() => {
    if (!isShown) return
    const onScroll = ({ target }: Event) => target !== list.current && place()
    addEventListener('scroll', onScroll, true)
    addEventListener('resize', place)
    return () => {
      removeEventListener('scroll', onScroll, true)
      removeEventListener('resize', place)
    }
  }, [isShown])
}
