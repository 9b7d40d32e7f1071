import { useMutation } from '@tanstack/preact-query'
import { Link } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { unwrap } from '../../api/errors.ts'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/form/field.tsx'
import { readForm } from '../../ui/form/form.ts'
import { language, t } from '../../words/words.ts'

/** Asks for a mail with a link to set a new password. The answer is the same whether or not the account exists. */
export function Forgot() {
  const ask = useMutation({
    mutationFn: ({ email = '' }: Readonly<Record<string, string>>) =>
      unwrap(api.POST('/v1/users/auth/reset-password', { body: { email, language: language.value } })),
  })
  return (
    <main class="panel">
      <h1>{t('forgot.title')}</h1>
      {ask.isSuccess ? (
        <p class="notice ok" role="status">
          {t('forgot.sent')}
        </p>
      ) : (
        <>
          <p class="muted">{t('forgot.text')}</p>
          {ask.error && <Failure error={ask.error} />}
          <form class="stack" onSubmit={(event) => ask.mutate(readForm(event))}>
            <Field label={t('signIn.email')}>
              <input name="email" type="email" autocomplete="username" required dir="ltr" />
            </Field>
            <button type="submit" class="button primary large wide" disabled={ask.isPending}>
              {t('forgot.submit')}
            </button>
          </form>
        </>
      )}
      <Link href="/sign-in">{t('forgot.back')}</Link>
    </main>
  )
}
