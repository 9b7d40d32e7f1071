import { useState } from 'preact/hooks'
import { useCallReasons } from '../../../api/call-reasons.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { readForm } from '../../../ui/form/form.ts'
import { useKeys } from '../../../ui/keys.ts'
import { Name } from '../../../ui/values.tsx'
import { t } from '../../../words/words.ts'
import type { OutcomeDetails } from '../desk.ts'

const KEYS_MAX = 9

interface CancelDialogProps {
  readonly onChoose: (details: OutcomeDetails) => void
  readonly onClose: () => void
}

/** Asks why an order is cancelled: one tap on a reason of the store, or a text. */
export function CancelDialog({ onChoose, onClose }: CancelDialogProps) {
  const reasons = useCallReasons('cancelled')
  const [isMissing, setMissing] = useState(false)
  const keys = reasons.slice(0, KEYS_MAX).map(({ code }, at) => [String(at + 1), () => onChoose({ reasonCode: code })] as const)
  useKeys(Object.fromEntries(keys))
  const submit = (event: SubmitEvent) => {
    const { reason = '' } = readForm(event)
    if (reason === '') setMissing(true)
    else onChoose({ reason })
  }
  return (
    <Dialog title={t('desk.cancelTitle')} onClose={onClose}>
      <div class="stack">
        {reasons.map(({ code, label }, at) => (
          <button
            type="button"
            key={code}
            class="button large apart"
            data-first={at === 0 || undefined}
            aria-keyshortcuts={at < KEYS_MAX ? String(at + 1) : undefined}
            onClick={() => onChoose({ reasonCode: code })}
          >
            <Name>{label}</Name>
          </button>
        ))}
      </div>
      <form class="stack" onSubmit={submit} noValidate>
        <Field label={t('desk.otherReason')} problem={isMissing ? t('desk.missing') : undefined}>
          <input name="reason" maxLength={500} dir="auto" onInput={() => setMissing(false)} />
        </Field>
        <button type="submit" class="button large danger">
          {t('desk.cancelSubmit')}
        </button>
      </form>
    </Dialog>
  )
}
