import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { useStore } from '../../session/store.tsx'
import { describeFailure } from '../../ui/failure.tsx'
import { Icon } from '../../ui/icons.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Name } from '../../ui/values.tsx'
import { t, type WordKey } from '../../words/words.ts'
import { type CommandResult, isOwn, searchStore, useCommandResults } from './command-results.ts'
import { isScannable } from './scanned.ts'

/** Search over everything: arrows move through what it finds, Enter goes there, Escape closes. */
export default function CommandDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [, go] = useLocation()
  const store = useStore()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const { results, isWaiting } = useCommandResults(text)
  const active = Math.min(at, results.length - 1)
  useLayoutEffect(() => {
    dialog.current?.showModal()
    return () => dialog.current?.close()
  }, [])
  useLayoutEffect(() => dialog.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }))
  const open = (result: CommandResult) => {
    onClose()
    go(result.href)
  }
  // A scanner types a number and Enter faster than results come.
  const openScanned = async () => {
    const number = text.trim()
    const { orderId } = await searchStore(store, number)
    if (dialog.current === null) return
    if (orderId === null) return void showToast(t('orders.noScanned', { number }))
    onClose()
    go(`/${store.storeId}/orders/${orderId}`)
  }
  // While a search runs, what is shown of the store may still be of the text before.
  const openActive = () => {
    const result = results[active]
    if (result && (!isWaiting || isOwn(result))) open(result)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step !== undefined && results.length > 0) setAt((active + step + results.length) % results.length)
    else if (event.key === 'Enter' && isWaiting && isScannable(text)) void openScanned().catch((error) => showToast(describeFailure(error)))
    else if (event.key === 'Enter') openActive()
    else return
    event.preventDefault()
  }
  const optionOf = (place: number) => `${id}-${place}`
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog too, by the browser itself.
    <dialog
      ref={dialog}
      class="command"
      aria-label={t('command.open')}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={({ target }) => target === dialog.current && onClose()}
    >
      <div class="command-field">
        <Icon name="search" />
        <input
          role="combobox"
          aria-label={t('command.open')}
          aria-expanded={results.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={active < 0 ? undefined : optionOf(active)}
          autocomplete="off"
          placeholder={t('command.placeholder')}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={id} role="listbox" aria-label={t('suggestions')} data-waiting={isWaiting}>
        {groupsOf(results).map(([group, members]) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options is no set of fields.
          <div key={group} role="group" aria-label={t(group)}>
            <p class="heading" aria-hidden="true">
              {t(group)}
            </p>
            {members.map(([result, place]) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and takes the keys.
              <div
                key={result.id}
                id={optionOf(place)}
                role="option"
                tabIndex={-1}
                aria-selected={place === active}
                onPointerMove={() => setAt(place)}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => open(result)}
              >
                <Icon name={result.icon} />
                <Name>{result.name}</Name>
                {result.detail !== '' && <bdi class="muted small">{result.detail}</bdi>}
              </div>
            ))}
          </div>
        ))}
      </div>
      {results.length === 0 && !isWaiting && (
        <p class="command-none muted" role="status">
          {t('command.none')}
        </p>
      )}
    </dialog>
  )
}

type Group = readonly [group: WordKey, members: readonly (readonly [result: CommandResult, place: number])[]]

/** Returns the results by group, each with its place in the whole list. */
const groupsOf = (results: readonly CommandResult[]): readonly Group[] =>
  [...new Set(results.map(({ group }) => group))].map((group) => [
    group,
    results.flatMap((result, place) => (result.group === group ? [[result, place] as const] : [])),
  ])
