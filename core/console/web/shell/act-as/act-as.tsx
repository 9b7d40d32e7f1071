import { signal } from '@preact/signals'
import { lazy, Suspense } from 'preact/compat'
import { useEffect } from 'preact/hooks'
import { loadPart } from '../../load-part.ts'

const isOpen = signal(false)
const ActAsDialog = lazy(
  loadPart(
    () => import('./act-as-dialog.tsx'),
    () => () => isOpen.peek(),
  ),
)

/** Opens the dialog in which an administrator chooses a user to act as. */
export const openActAs = (): void => {
  isOpen.value = true
}

const close = (): void => {
  isOpen.value = false
}

/** Shows the choice of a user to act as while it is open. */
export function ActAs() {
  useEffect(() => close, [])
  if (!isOpen.value) return null
  return (
    <Suspense fallback={null}>
      <ActAsDialog onClose={close} />
    </Suspense>
  )
}
