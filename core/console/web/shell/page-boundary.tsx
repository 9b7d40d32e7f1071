import type { ComponentChildren } from 'preact'
import { useEffect, useErrorBoundary } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { Failure } from '../ui/failure.tsx'
import { t } from '../words/words.ts'

/** Shows why a page cannot be shown, until the user goes to another or loads it anew. */
export function PageBoundary({ children }: { readonly children: ComponentChildren }) {
  const [error, forget] = useErrorBoundary()
  const [path] = useLocation()
  useEffect(forget, [path])
  if (error === undefined) return <>{children}</>
  return (
    <main class="centre">
      <Failure error={error} />
      <button type="button" class="button" onClick={() => location.reload()}>
        {t('retry')}
      </button>
    </main>
  )
}
