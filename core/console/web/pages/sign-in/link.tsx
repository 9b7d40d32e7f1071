import { useMutation } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { RequestError } from '../../api/errors.ts'
import { openSessionByLink } from '../../session/console-session.ts'
import { readFragment } from '../../session/fragment.ts'
import { Failure } from '../../ui/failure.tsx'
import { FormProblem } from '../../ui/form/field.tsx'
import { readForm } from '../../ui/form/form.ts'
import { SecondFactorField } from '../../ui/form/second-factor-field.tsx'
import { t } from '../../words/words.ts'

/** Page of a link that signs in once. It waits for a click, because programs that look into messages open links too. */
export function LinkSignIn() {
  const [token] = useState(readFragment)
  useEffect(() => history.replaceState(null, '', location.pathname), [])
  const signIn = useMutation({ mutationFn: (secondFactor?: string) => openSessionByLink(token, secondFactor) })
  const code = signIn.error instanceof RequestError ? signIn.error.code : null
  const [asksFactor, setAsksFactor] = useState(false)
  useEffect(() => {
    if (code === 'second_factor_required') setAsksFactor(true)
  }, [code])
  return (
    <main class="panel">
      <h1>{t('signIn.title')}</h1>
      {code === 'invalid_code' && !asksFactor && <FormProblem>{t('link.used')}</FormProblem>}
      {signIn.error && code !== 'second_factor_required' && (code !== 'invalid_code' || asksFactor) && <Failure error={signIn.error} />}
      <form class="stack" onSubmit={(event) => signIn.mutate(readForm(event).secondFactor)}>
        {asksFactor && <SecondFactorField />}
        <button type="submit" class="button primary large wide" disabled={signIn.isPending}>
          {t('link.submit')}
        </button>
      </form>
      <Link href="/sign-in">{t('forgot.back')}</Link>
    </main>
  )
}
