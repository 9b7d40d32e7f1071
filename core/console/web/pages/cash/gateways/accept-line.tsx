import { useMutation } from '@tanstack/preact-query'
import { api } from '../../../api/client.ts'
import { unwrap } from '../../../api/errors.ts'
import { useStore } from '../../../session/store.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Failure, problemOf } from '../../../ui/failure.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { readForm } from '../../../ui/form/form.ts'
import { FormFoot } from '../../../ui/form/form-foot.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { formatMoney, isolate } from '../../../words/format.ts'
import { t } from '../../../words/words.ts'
import { refreshCash } from '../cash-data.ts'
import type { GatewayLine } from './gateway-payout-page.tsx'

const REASON_MAX = 500

interface AcceptDialogProps {
  readonly payoutId: string
  readonly line: GatewayLine
  readonly onClose: () => void
}

/** Accepts a line of a transfer as it is, with the reason that the accounts keep. */
export function AcceptDialog({ payoutId, line, onClose }: AcceptDialogProps) {
  const { storeId } = useStore()
  const accept = useMutation({
    mutationFn: (reason: string) => {
      const params = { path: { storeId, payoutId, lineId: line.id } }
      return unwrap(api.POST('/v1/stores/{storeId}/payouts/{payoutId}/lines/{lineId}/accept', { params, body: { reason } }))
    },
    onSuccess: () => {
      showToast(t('cash.accepted'))
      onClose()
    },
    onSettled: () => refreshCash(storeId),
  })
  return (
    <Dialog title={t('cash.acceptTitle')} onClose={onClose}>
      <form class="stack" onSubmit={(event) => !accept.isPending && accept.mutate(readForm(event).reason ?? '')}>
        <p>{t('cash.acceptText', { amount: isolate(formatMoney(line.net, line.currency)) })}</p>
        <Field label={t('cash.acceptReason')} problem={problemOf(accept.error, 'reason')}>
          <input name="reason" required maxLength={REASON_MAX} data-first />
        </Field>
        {accept.error && <Failure error={accept.error} />}
        <FormFoot submit={t('cash.accept')} isPending={accept.isPending} onClose={onClose} />
      </form>
    </Dialog>
  )
}
