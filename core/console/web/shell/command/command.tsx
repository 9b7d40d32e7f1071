import { signal } from '@preact/signals'
import { lazy, Suspense } from 'preact/compat'
import { useLayoutEffect } from 'preact/hooks'
import { loadPart } from '../../load-part.ts'
import { Icon } from '../../ui/icons.tsx'
import { keyOf } from '../../ui/keys.ts'
import { t } from '../../words/words.ts'

const isOpen = signal(false)
const CommandDialog = lazy(
  loadPart(
    () => import('./command-dialog.tsx'),
    () => () => isOpen.peek(),
  ),
)
const isApple = /mac|iphone|ipad/i.test(navigator.platform)

/** Opens the search over everything. */
export const openCommand = (): void => {
  isOpen.value = true
}

/** Button that opens the search over everything. */
export const CommandButton = () => (
  <button type="button" class="command-button" aria-label={t('command.open')} aria-keyshortcuts="Meta+K Control+K" onClick={openCommand}>
    <Icon name="search" />
    {t('command.open')}
    <kbd class="ltr">{isApple ? '⌘K' : 'Ctrl K'}</kbd>
  </button>
)

/** Shows the search over everything while it is open. ⌘K, or Ctrl+K, opens and closes it anywhere, also inside a field. */
export function Command() {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey || keyOf(event) !== 'k') return
      event.preventDefault()
      isOpen.value = !isOpen.value
    }
    addEventListener('keydown', onKey)
    return () => {
      removeEventListener('keydown', onKey)
      isOpen.value = false
    }
  }, [])
  if (!isOpen.value) return null
  return (
    <Suspense fallback={null}>
      <CommandDialog
        onClose={() => {
          isOpen.value = false
        }}
      />
    </Suspense>
  )
}
