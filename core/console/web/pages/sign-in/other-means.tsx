import { useMutation } from '@tanstack/preact-query'
import { openSession, type Setup } from '../../session/console-session.ts'
import { hasPasskeys, requestPasskey } from '../../session/passkey.ts'
import { beginSocialSignIn } from '../../session/social.ts'
import { FormProblem } from '../../ui/form/field.tsx'
import { t } from '../../words/words.ts'

/** Sign-in without a password: a passkey of this device, or an account at a provider that the server is connected to. */
export function OtherMeans({ setup, isOwnDevice }: { readonly setup: Setup; readonly isOwnDevice: boolean }) {
  const passkey = useMutation({ mutationFn: async () => openSession({ passkey: await requestPasskey() }, { isOwnDevice }) })
  if (!hasPasskeys && setup.providers.length === 0) return null
  return (
    <div class="stack">
      <p class="divider">{t('signIn.or')}</p>
      {passkey.error && <FormProblem>{t('signIn.passkeyFailed')}</FormProblem>}
      {hasPasskeys && (
        <button type="button" class="button wide" disabled={passkey.isPending} onClick={() => passkey.mutate()}>
          {t('signIn.passkey')}
        </button>
      )}
      {setup.providers.map(({ slug, label }) => (
        <button type="button" class="button wide" key={slug} onClick={() => void beginSocialSignIn(slug, { isOwnDevice })}>
          {t('signIn.social', { provider: label })}
        </button>
      ))}
    </div>
  )
}
