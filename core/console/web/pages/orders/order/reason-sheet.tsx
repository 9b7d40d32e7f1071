import { useCallReasons, useRecordedReason } from '../../../api/call-reasons.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { readForm } from '../../../ui/form/form.ts'
import { FormFoot } from '../../../ui/form/form-foot.tsx'
import { t, type WordKey } from '../../../words/words.ts'

interface ReasonFieldProps {
  readonly of: 'cancelled' | 'postponed'
  readonly isRequired: boolean
}

/** Field `reason` of a form, with the reasons of the store to choose from. */
export const ReasonField = ({ of, isRequired }: ReasonFieldProps) => (
  <>
    <Field label={t(isRequired ? 'orders.reason' : 'orders.reasonOptional')}>
      <input name="reason" maxLength={500} required={isRequired} list="order-reasons" autocomplete="off" />
    </Field>
    <datalist id="order-reasons">
      {useCallReasons(of).map(({ code, label }) => (
        <option key={code} value={label} />
      ))}
    </datalist>
  </>
)

interface ReasonSheetProps {
  readonly title: string
  readonly submit: WordKey
  readonly onSubmit: (reason: string) => void
  readonly onClose: () => void
}

/** Asks why an order is cancelled, which its history keeps. */
export function ReasonSheet({ title, submit, onSubmit, onClose }: ReasonSheetProps) {
  const recorded = useRecordedReason('cancelled')
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={(event) => onSubmit(recorded(readForm(event).reason ?? ''))}>
        <ReasonField of="cancelled" isRequired />
        <FormFoot submit={t(submit)} onClose={onClose} />
      </form>
    </Dialog>
  )
}
