import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { unwrap } from '../../api/errors.ts'
import { useStore } from '../../session/store.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { readForm } from '../../ui/form.ts'
import { useKeys } from '../../ui/keys.ts'
import { Name } from '../../ui/values.tsx'
import { findWord, t } from '../../words/words.ts'
import type { OutcomeDetails } from './desk.ts'
import { deskKey } from './desk-key.ts'

const AN_HOUR_MS = 60 * 60_000
const KEYS_MAX = 9

interface Choice {
  readonly label: string
  readonly details: OutcomeDetails
}

/** Reads the reasons of the store that explain a cancellation. The standard ones are shown in the language of the page. */
function useReasons(): readonly Choice[] {
  const store = useStore()
  const { data } = useQuery({
    queryKey: deskKey(store.storeId, 'reasons'),
    staleTime: AN_HOUR_MS,
    enabled: store.can('readCallReasons'),
    queryFn: async () => {
      const path = { storeId: store.storeId }
      return (await unwrap(api.GET('/v1/stores/{storeId}/confirmation/reasons', { params: { path } }))).data
    },
  })
  return (data?.reasons ?? [])
    .filter(({ outcomes }) => outcomes.includes('cancelled'))
    .map(({ code, label }) => ({
      label: (data?.isStandard ? findWord(`desk.reason.${code}`) : undefined) ?? label,
      details: { reasonCode: code },
    }))
}

/** Keeps the reasons at hand, so that a cancellation needs no network. */
export const useReasonsAhead = () => useReasons().length

interface CancelDialogProps {
  readonly onChoose: (details: OutcomeDetails) => void
  readonly onClose: () => void
}

/** Asks why an order is cancelled: one tap on a reason of the store, or a text. */
export function CancelDialog({ onChoose, onClose }: CancelDialogProps) {
  const reasons = useReasons()
  const [isMissing, setMissing] = useState(false)
  const keys = reasons.slice(0, KEYS_MAX).map(({ details }, at) => [String(at + 1), () => onChoose(details)] as const)
  useKeys(Object.fromEntries(keys))
  const submit = (event: SubmitEvent) => {
    const { reason = '' } = readForm(event)
    if (reason === '') setMissing(true)
    else onChoose({ reason })
  }
  return (
    <Dialog title={t('desk.cancelTitle')} onClose={onClose}>
      <div class="stack">
        {reasons.map(({ label, details }, at) => (
          <button
            type="button"
            key={label}
            class="button large apart"
            data-first={at === 0 || undefined}
            aria-keyshortcuts={at < KEYS_MAX ? String(at + 1) : undefined}
            onClick={() => onChoose(details)}
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
