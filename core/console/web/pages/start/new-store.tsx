import { useMutation, useQuery } from '@tanstack/preact-query'
import { useMemo } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { readCountries } from '../../api/countries.ts'
import { unwrap } from '../../api/errors.ts'
import { useCreationHeader } from '../../api/idempotency.ts'
import { refreshMe } from '../../api/queries.ts'
import { Failure, problemOf } from '../../ui/failure.tsx'
import { Field } from '../../ui/form/field.tsx'
import { readForm } from '../../ui/form/form.ts'
import { language, t } from '../../words/words.ts'

/** Returns the region of a language of the browser. Some browsers name languages that are none, such as `en-US@posix`. */
function regionOf(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).region
  } catch {
    return undefined
  }
}

/** Country of the browser's languages, such as the one of `fr-TN`; the first choice of the form. */
const likelyCountry = navigator.languages.map(regionOf).find((region) => region !== undefined) ?? ''

/** Creates a store. Its owner goes on to it. */
export function NewStore() {
  const [, go] = useLocation()
  const { data: countries } = useQuery({ queryKey: ['countries'], queryFn: readCountries, staleTime: Number.POSITIVE_INFINITY })
  const names = useMemo(() => new Intl.DisplayNames(language.value, { type: 'region' }), [])
  const headerOf = useCreationHeader()
  const create = useMutation({
    mutationFn: async ({ name = '', country = '' }: Readonly<Record<string, string>>) => {
      const body = { name, countryCode: country, currencyCode: countries?.find(({ code }) => code === country)?.currencies[0] ?? '' }
      const { data } = await unwrap(api.POST('/v1/stores', { body, params: { header: headerOf(body) } }))
      await refreshMe()
      return data.id
    },
    onSuccess: (storeId) => go(`/${storeId}/welcome`),
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
            <select name="country" required defaultValue={likelyCountry}>
              <option value="" />
              {countries?.map(({ code, name }) => (
                <option key={code} value={code}>
                  {names.of(code) ?? name}
                </option>
              ))}
            </select>
          </Field>
          <button type="submit" class="button primary large wide" disabled={create.isPending || !countries}>
            {t('start.submit')}
          </button>
        </form>
      </main>
    </div>
  )
}
