import { useMutation } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { useStore } from '../../session/store.tsx'
import { Failure, problemOf } from '../../ui/failure.tsx'
import { Field } from '../../ui/form/field.tsx'
import { readForm } from '../../ui/form/form.ts'
import { t, type WordKey } from '../../words/words.ts'
import { connectSandbox, makeSampleOrder, type StepValues } from './samples.ts'

interface Step {
  readonly title: WordKey
  readonly text: WordKey
  readonly submit: WordKey
  readonly asksPhone?: boolean
  readonly run: (store: { readonly storeId: string; readonly countryCode: string }, values: StepValues) => Promise<void>
}

/** Steps after the store itself. Each can be left out, and repeated later on the pages of the store. */
const steps: readonly Step[] = [
  { title: 'start.carrierTitle', text: 'start.carrierText', submit: 'start.carrierSubmit', run: connectSandbox },
  { title: 'start.orderTitle', text: 'start.orderText', submit: 'start.orderSubmit', asksPhone: true, run: makeSampleOrder },
]

/** Leads the owner of a new store to a carrier that needs no account, and to a first order. Ends at the confirmation desk. */
export default function WelcomePage() {
  const store = useStore()
  const [, go] = useLocation()
  const [at, setAt] = useState(0)
  const step = steps[at]
  const goOn = () => (at + 1 < steps.length ? setAt(at + 1) : go(`/${store.storeId}/desk`))
  const work = useMutation({ mutationFn: async (values: StepValues) => step?.run(store, values), onSuccess: goOn })
  if (!step) return null
  return (
    <main class="page welcome">
      <section class="panel">
        <p class="muted small">{t('start.step', { step: at + 2, steps: steps.length + 1 })}</p>
        <h1>{t(step.title)}</h1>
        <p class="muted">{t(step.text)}</p>
        {work.error && <Failure error={work.error} />}
        <form class="stack" key={step.title} onSubmit={(event) => work.mutate(readForm(event))}>
          {step.asksPhone && (
            <Field label={t('start.phone')} hint={t('start.phoneHint')} problem={problemOf(work.error, 'phone')}>
              <input name="phone" type="tel" autocomplete="tel" required dir="ltr" />
            </Field>
          )}
          <button type="submit" class="button primary large wide" disabled={work.isPending}>
            {t(step.submit)}
          </button>
        </form>
        <button type="button" class="button quiet wide" onClick={goOn}>
          {t('start.skip')}
        </button>
      </section>
    </main>
  )
}
