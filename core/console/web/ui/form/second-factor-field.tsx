import { t } from '../../words/words.ts'
import { Field } from './field.tsx'

const focusOnce = (input: HTMLInputElement | null) => input?.focus()

/** Asks for the code of the second factor, or a recovery code. Its name in the form is `secondFactor`. */
export const SecondFactorField = () => (
  <Field label={t('signIn.code')} hint={t('signIn.codeHint')}>
    <input name="secondFactor" inputMode="numeric" autocomplete="one-time-code" required dir="ltr" ref={focusOnce} />
  </Field>
)
