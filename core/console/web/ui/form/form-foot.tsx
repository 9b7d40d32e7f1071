import { t } from '../../words/words.ts'

interface FormFootProps {
  /** Text of the button that submits the form. */
  readonly submit: string
  readonly isPending?: boolean
  readonly onClose: () => void
}

/** Foot of a dialog's form: to leave things as they are, and to submit. */
export const FormFoot = ({ submit, isPending = false, onClose }: FormFootProps) => (
  <div class="row end-row">
    <button type="button" class="button" onClick={onClose}>
      {t('orders.notNow')}
    </button>
    <button type="submit" class="button primary" disabled={isPending}>
      {submit}
    </button>
  </div>
)
