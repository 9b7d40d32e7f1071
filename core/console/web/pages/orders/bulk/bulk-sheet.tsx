import { useState } from 'preact/hooks'
import { useRecordedReason } from '../../../api/call-reasons.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Checks } from '../../../ui/form/checks.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { FormFoot } from '../../../ui/form/form-foot.tsx'
import { t } from '../../../words/words.ts'
import { listOf } from '../list/filters/filters.ts'
import { useStoreTags } from '../list/filters/parcel-filters.tsx'
import { ReasonField } from '../order/reason-sheet.tsx'
import { CarrierChoices } from '../order/send-sheet.tsx'
import { useAgents } from '../people.ts'
import { type Action, printing } from './jobs.ts'

interface BulkSheetProps {
  readonly type: Action['type']
  readonly count: number | undefined
  readonly error: Error | null
  readonly isPending: boolean
  readonly onRun: (action: Action) => void
  readonly onClose: () => void
}

/** Asks what an action on many orders needs: a reason, a carrier, the agents. Says once more how many orders it is for. */
export function BulkSheet({ type, count, error, isPending, onRun, onClose }: BulkSheetProps) {
  const recorded = useRecordedReason('cancelled')
  const [isMissing, setMissing] = useState(false)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const action = readAction(type, new FormData(event.currentTarget as HTMLFormElement))
    if (action.type === 'tag' && !action.add && !action.remove) setMissing(true)
    else onRun(action.type === 'cancel' ? { ...action, reason: recorded(action.reason ?? '') } : action)
  }
  return (
    <Dialog title={t(`bulk.title.${type}`)} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        {error && <Failure error={error} />}
        <p>{count === undefined ? t('bulk.forAll') : t('bulk.forSome', { count })}</p>
        {type === 'cancel' && <ReasonField of="cancelled" isRequired />}
        {type === 'send' && <CarrierChoices canBeChosen />}
        {type === 'assign' && <AgentChoices />}
        {type === 'tag' && <TagFields isMissing={isMissing} />}
        <FormFoot submit={t(`bulk.submit.${type}`)} isPending={isPending} onClose={onClose} />
      </form>
    </Dialog>
  )
}

function readAction(type: Action['type'], form: FormData): Action {
  const reason = String(form.get('reason') ?? '').trim()
  const carrierCode = String(form.get('carrier') ?? '')
  const tagsOf = <Name extends 'add' | 'remove'>(name: Name) => {
    const tags = listOf(String(form.get(name) ?? ''))
    return tags.length > 0 && ({ [name]: [...tags] } as { readonly [Key in Name]: string[] })
  }
  if (type === 'assign') return { type, userIds: form.getAll('agent').map(String) }
  if (type === 'send') return { type, ...(carrierCode !== '' && { carrierCode }) }
  if (type === 'tag') return { type, ...tagsOf('add'), ...tagsOf('remove') }
  if (type === 'cancel') return { type, reason }
  return type === 'print' ? printing : { type }
}

const TagFields = ({ isMissing }: { readonly isMissing: boolean }) => (
  <>
    <datalist id="order-tags">
      {useStoreTags().map((tag) => (
        <option key={tag} value={tag} />
      ))}
    </datalist>
    <Field label={t('bulk.tagAdd')} hint={t('bulk.tagHint')} problem={isMissing ? t('bulk.tagMissing') : undefined}>
      <input name="add" maxLength={400} list="order-tags" autocomplete="off" dir="auto" />
    </Field>
    <Field label={t('bulk.tagRemove')} hint={t('bulk.tagHint')}>
      <input name="remove" maxLength={400} list="order-tags" autocomplete="off" dir="auto" />
    </Field>
  </>
)

const AgentChoices = () => (
  <Checks label={t('bulk.agents')} name="agent" choices={useAgents().map(({ id, name }) => [id, name])}>
    <p class="small muted">{t('bulk.agentsHint')}</p>
  </Checks>
)
