import { useMutation } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { RequestError } from '../../api/errors.ts'
import type { Setup } from '../../session/console-session.ts'
import { readFragment } from '../../session/fragment.ts'
import { finishSocialSignIn } from '../../session/social.ts'
import { Waiting } from '../../shell/notices.tsx'
import { Failure } from '../../ui/failure.tsx'
import { FormProblem } from '../../ui/form/field.tsx'
import { readForm } from '../../ui/form/form.ts'
import { SecondFactorField } from '../../ui/form/second-factor-field.tsx'
import { t } from '../../words/words.ts'
import { SignIn } from './sign-in.tsx'

/** Page to which a provider returns. It signs in by itself, and asks for the second factor where the account has one. */
export function SocialReturn({ setup }: { readonly setup: Setup }) {
  const [fragment] = useState(readFragment)
  const finish = useMutation({ mutationFn: (secondFactor?: string) => finishSocialSignIn(fragment, secondFactor) })
  useEffect(() => {
    history.replaceState(null, '', location.pathname)
    finish.mutate(undefined)
  }, [])
  if (!finish.error) return <Waiting />
  const code = finish.error instanceof RequestError ? finish.error.code : null
  if (code !== 'second_factor_required' && code !== 'invalid_code')
    return (
      <>
        <FormProblem>{t('signIn.socialFailed')}</FormProblem>
        <SignIn setup={setup} />
      </>
    )
  return (
    <main class="panel">
      <h1>{t('signIn.title')}</h1>
      {code === 'invalid_code' && <Failure error={finish.error} />}
      <form class="stack" onSubmit={(event) => finish.mutate(readForm(event).secondFactor)}>
        <SecondFactorField />
        <button type="submit" class="button primary large wide">
          {t('signIn.submit')}
        </button>
      </form>
    </main>
  )
}
