import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { readForm } from '../../../ui/form.ts'
import { FormFoot } from '../../../ui/form-foot.tsx'
import { t, type WordKey } from '../../../words/words.ts'

/** Reasons that shopkeepers name most, offered while typing. */
const suggestions = ['orders.reason.changedMind', 'orders.reason.duplicate', 'orders.reason.price', 'orders.reason.wrongNumber'] as const

/** Field `reason` of a form. */
export const ReasonField = ({ isRequired }: { readonly isRequired: boolean }) => (
  <>
    <Field label={t(isRequired ? 'orders.reason' : 'orders.reasonOptional')}>
      <input name="reason" maxLength={500} required={isRequired} list="order-reasons" autocomplete="off" />
    </Field>
    <datalist id="order-reasons">
      {suggestions.map((key) => (
        <option key={key} value={t(key)} />
      ))}
    </datalist>
  </>
)

interface ReasonSheetProps {
  readonly title: string
  readonly submit: WordKey
  readonly isRequired: boolean
  readonly onSubmit: (reason: string) => void
  readonly onClose: () => void
}

/** Asks for the reason of a change, which the history of the order keeps. */
export function ReasonSheet({ title, submit, isRequired, onSubmit, onClose }: ReasonSheetProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={(event) => onSubmit(readForm(event).reason ?? '')}>
        <ReasonField isRequired={isRequired} />
        <FormFoot submit={t(submit)} onClose={onClose} />
      </form>
    </Dialog>
  )
}
