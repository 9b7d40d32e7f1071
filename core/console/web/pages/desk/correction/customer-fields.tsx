import { problemOf } from '../../../ui/failure.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { t } from '../../../words/words.ts'
import type { Correction } from './use-correction.ts'

/** Fields of the customer's name and phone numbers. */
export function CustomerFields({ correction }: { readonly correction: Correction }) {
  const { draft, edit, failure, isMissing } = correction
  const problem = (field: 'name' | 'phone' | 'phoneAlt') => (isMissing(field) ? t('desk.missing') : problemOf(failure, `customer/${field}`))
  return (
    <div class="stack">
      <Field label={t('desk.name')} problem={problem('name')}>
        <input value={draft.name} maxLength={200} dir="auto" onInput={({ currentTarget }) => edit({ name: currentTarget.value })} />
      </Field>
      <div class="desk-pair">
        <Field label={t('desk.phone')} problem={problem('phone')}>
          <input
            type="tel"
            dir="ltr"
            value={draft.phone}
            maxLength={40}
            onInput={({ currentTarget }) => edit({ phone: currentTarget.value })}
          />
        </Field>
        <Field label={t('desk.phoneAlt')} problem={problem('phoneAlt')}>
          <input
            type="tel"
            dir="ltr"
            value={draft.phoneAlt}
            maxLength={40}
            onInput={({ currentTarget }) => edit({ phoneAlt: currentTarget.value })}
          />
        </Field>
      </div>
    </div>
  )
}
