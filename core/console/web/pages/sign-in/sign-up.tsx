import { useMutation } from '@tanstack/preact-query'
import { Link } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { unwrap } from '../../api/errors.ts'
import { openSession } from '../../session/console-session.ts'
import { Failure, problemOf } from '../../ui/failure.tsx'
import { Field } from '../../ui/form/field.tsx'
import { readForm } from '../../ui/form/form.ts'
import { t } from '../../words/words.ts'

/** Creates an account and signs it in. The first account of a server becomes its administrator. */
export function SignUp({ isFirst }: { readonly isFirst: boolean }) {
  const signUp = useMutation({
    mutationFn: async ({ name = '', email = '', password = '' }: Readonly<Record<string, string>>) => {
      await unwrap(api.POST('/v1/users/auth/signup', { body: { name, email, password } }))
      await openSession({ password: { email, password } }, { isOwnDevice: true })
    },
  })
  return (
    <main class="panel">
      <h1>{t('signUp.title')}</h1>
      {isFirst && <p class="muted">{t('signUp.first')}</p>}
      {signUp.error && <Failure error={signUp.error} />}
      <form class="stack" onSubmit={(event) => signUp.mutate(readForm(event))}>
        <Field label={t('signUp.name')} problem={problemOf(signUp.error, 'name')}>
          <input name="name" autocomplete="name" required maxLength={120} />
        </Field>
        <Field label={t('signIn.email')} problem={problemOf(signUp.error, 'email')}>
          <input name="email" type="email" autocomplete="username" required dir="ltr" />
        </Field>
        <Field label={t('signIn.password')} hint={t('signUp.passwordHint')} problem={problemOf(signUp.error, 'password')}>
          <input name="password" type="password" autocomplete="new-password" minLength={8} required dir="ltr" />
        </Field>
        <button type="submit" class="button primary large wide" disabled={signUp.isPending}>
          {t('signUp.submit')}
        </button>
      </form>
      {!isFirst && <Link href="/sign-in">{t('signUp.haveAccount')}</Link>}
    </main>
  )
}
