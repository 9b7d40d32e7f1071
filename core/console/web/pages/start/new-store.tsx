import { useMutation } from '@tanstack/preact-query'
import { useMemo } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { unwrap } from '../../api/errors.ts'
import { refreshMe } from '../../session/me.ts'
import { LanguageBar } from '../../shell/language-bar.tsx'
import { Failure, problemOf } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { readForm } from '../../ui/form.ts'
import { language, t } from '../../words/words.ts'

/** Countries that the list offers first, with their currencies. Any other country can be chosen by its code through the API. */
const currencyOf: Readonly<Record<string, string>> = { DZ: 'DZD', MA: 'MAD', TN: 'TND', EG: 'EGP', SA: 'SAR', AE: 'AED', FR: 'EUR' }

/** Creates a store. Its owner goes on to it. */
export function NewStore() {
  const [, go] = useLocation()
  const names = useMemo(() => new Intl.DisplayNames(language.value, { type: 'region' }), [])
  const create = useMutation({
    mutationFn: async ({ name = '', country = 'DZ' }: Readonly<Record<string, string>>) => {
      const body = { name, countryCode: country, currencyCode: currencyOf[country] ?? 'DZD' }
      const { data } = await unwrap(api.POST('/v1/stores', { body }))
      await refreshMe()
      return data.id
    },
    onSuccess: (storeId) => go(`/${storeId}`),
  })
  return (
    <div class="centre">
      <main class="panel">
        <h1>{t('start.title')}</h1>
        <p class="muted">{t('start.text')}</p>
        {create.error && <Failure error={create.error} />}
        <form class="stack" onSubmit={(event) => create.mutate(readForm(event))}>
          <Field label={t('start.name')} problem={problemOf(create.error, 'name')}>
            <input name="name" required maxLength={120} />
          </Field>
          <Field label={t('start.country')}>
            <select name="country">
              {Object.keys(currencyOf).map((code) => (
                <option key={code} value={code}>
                  {names.of(code)}
                </option>
              ))}
            </select>
          </Field>
          <button type="submit" class="button primary large wide" disabled={create.isPending}>
            {t('start.submit')}
          </button>
        </form>
      </main>
      <LanguageBar />
    </div>
  )
}
