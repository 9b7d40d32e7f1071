import { useMutation } from '@tanstack/preact-query'
import { useEffect } from 'preact/hooks'
import { stopActing } from '../../session/acting.ts'
import { Waiting } from '../../shell/notices.tsx'
import { Failure } from '../../ui/failure.tsx'
import { t } from '../../words/words.ts'

/** Returns to the own session of an administrator whose session in the name of a user is over. */
export function ActingOver() {
  const end = useMutation({ mutationFn: () => stopActing('over') })
  useEffect(() => end.mutate(), [])
  if (!end.error) return <Waiting />
  return (
    <main class="panel">
      <Failure error={end.error} />
      <button type="button" class="button primary large wide" onClick={() => end.mutate()}>
        {t('retry')}
      </button>
    </main>
  )
}
