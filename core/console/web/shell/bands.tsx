import { useMe } from '../session/me.ts'
import { t } from '../words/words.ts'
import { isOnline } from './network.ts'

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
      {me?.actingAs && <p class="band">{t('band.actingAs', { name: me.user.name })}</p>}
    </>
  )
}
