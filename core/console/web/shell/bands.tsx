import { useMutation } from '@tanstack/preact-query'
import { useEffect, useId } from 'preact/hooks'
import { refreshMe } from '../api/queries.ts'
import { stopActing } from '../session/acting.ts'
import { useMe } from '../session/me.ts'
import { describeFailure } from '../ui/failure.tsx'
import { showToast } from '../ui/toast.tsx'
import { t } from '../words/words.ts'
import { isOnline } from './network.ts'

/** Milliseconds between two looks at the session of a user, so that its end is noticed without any other request. */
const POLL_MS = 15_000

/** Shows what holds for the whole page: no network, or an administrator who acts as the user. */
export function Bands() {
  const { data: me } = useMe()
  return (
    <>
      {!isOnline.value && (
        <p class="band bad" role="status">
          {t('band.offline')}
        </p>
      )}
      {me?.actingAs && <ActingBand name={me.user.name} />}
    </>
  )
}

/** Says as whom the administrator acts, and lets them stop. */
function ActingBand({ name }: { readonly name: string }) {
  const label = useId()
  const stop = useMutation({
    mutationFn: () => stopActing('stopped'),
    onError: (error) => showToast(describeFailure(error)),
  })
  useEffect(() => {
    const timer = setInterval(() => void refreshMe({ cancelRefetch: false }), POLL_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <section class="band" aria-labelledby={label}>
      <p id={label}>{t('band.actingAs', { name })}</p>
      <button type="button" class="button" disabled={stop.isPending || stop.isSuccess} onClick={() => stop.mutate()}>
        {t('acting.stop')}
      </button>
    </section>
  )
}
