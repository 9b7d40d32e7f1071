import { useMutation } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { RequestError } from '../../api/errors.ts'
import { openSession, type Setup } from '../../session/console-session.ts'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/form/field.tsx'
import { readForm } from '../../ui/form/form.ts'
import { SecondFactorField } from '../../ui/form/second-factor-field.tsx'
import { t } from '../../words/words.ts'
import { OtherMeans } from './other-means.tsx'

const isFactorMissing = (error: unknown) => error instanceof RequestError && error.code === 'second_factor_required'

/** E-mail address in the fragment of the page's address. A fragment is sent to no server, and so stands in no log. */
const emailOfAddress = () => new URLSearchParams(location.hash.slice(1)).get('email') ?? ''

/** Sign-in with e-mail and password, then the second factor where the account has one; or a passkey, or another account. */
export function SignIn({ setup }: { readonly setup: Setup }) {
  const [known] = useState(emailOfAddress)
  const [isOwnDevice, setOwnDevice] = useState(true)
  const [asksFactor, setAsksFactor] = useState(false)
  const signIn = useMutation({
    mutationFn: ({ email = '', password = '', secondFactor = '' }: Readonly<Record<string, string>>) =>
      openSession(
        { password: { email, password, ...(secondFactor && { secondFactor: secondFactor.replaceAll(' ', '') }) } },
        { isOwnDevice },
      ),
    onError: (error) => isFactorMissing(error) && setAsksFactor(true),
  })
  return (
    <main class="panel">
      <h1>{t('signIn.title')}</h1>
      {signIn.error && !isFactorMissing(signIn.error) && <Failure error={signIn.error} />}
      <form class="stack" onSubmit={(event) => signIn.mutate(readForm(event))}>
        <div class="stack" hidden={asksFactor}>
          <Field label={t('signIn.email')}>
            <input name="email" type="email" autocomplete="username webauthn" required dir="ltr" defaultValue={known} />
          </Field>
          <Field label={t('signIn.password')}>
            <input name="password" type="password" autocomplete="current-password" required dir="ltr" />
          </Field>
          <label class="check">
            <input type="checkbox" checked={isOwnDevice} onChange={({ currentTarget }) => setOwnDevice(currentTarget.checked)} />
            {t('signIn.ownDevice')}
          </label>
        </div>
        {asksFactor && <SecondFactorField />}
        <button type="submit" class="button primary large wide" disabled={signIn.isPending}>
          {t('signIn.submit')}
        </button>
      </form>
      <OtherMeans setup={setup} isOwnDevice={isOwnDevice} />
      <p class="row apart">
        <Link href="/forgot-password">{t('signIn.forgot')}</Link>
        <Link href="/sign-up">{t('signIn.create')}</Link>
      </p>
    </main>
  )
}
