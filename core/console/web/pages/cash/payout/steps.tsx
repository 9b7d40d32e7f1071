import { useState } from 'preact/hooks'
import { useStore } from '../../../session/store.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { FormFoot } from '../../../ui/form/form-foot.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { formatMoney, isolate } from '../../../words/format.ts'
import { t } from '../../../words/words.ts'
import { type PayoutDetail, type PayoutName, usePayoutStep } from './payout-data.ts'

interface StepsProps {
  readonly name: PayoutName
  readonly payout: PayoutDetail
  readonly currency: string
}

/** Buttons of the next step of a payout: to confirm its money, or to reverse that. */
export function PayoutSteps({ name, payout: { state, totals }, currency }: StepsProps) {
  const { can } = useStore()
  const [isReversing, setReversing] = useState(false)
  const amount = isolate(formatMoney(totals.received, currency))
  const confirm = usePayoutStep(name, 'confirm', () => showToast(t('cash.confirmed', { amount })))
  if (state === 'confirmed')
    return (
      <>
        {can('carrier.cashReverse') && (
          <button type="button" class="button danger" onClick={() => setReversing(true)}>
            {t('cash.reverse')}
          </button>
        )}
        {isReversing && <ReverseDialog name={name} onClose={() => setReversing(false)} />}
      </>
    )
  if (!can('carrier.cashConfirm')) return null
  return (
    <>
      <button type="button" class="button primary" disabled={confirm.isPending} onClick={() => confirm.mutate()}>
        {t('cash.confirm', { amount })}
      </button>
      {confirm.error && <Failure error={confirm.error} />}
    </>
  )
}

function ReverseDialog({ name, onClose }: { readonly name: PayoutName; readonly onClose: () => void }) {
  const reverse = usePayoutStep(name, 'reverse', () => {
    showToast(t('cash.reversed'))
    onClose()
  })
  return (
    <Dialog title={t('cash.reverseTitle')} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (!reverse.isPending) reverse.mutate()
        }}
      >
        <p>{t('cash.reverseText')}</p>
        {reverse.error && <Failure error={reverse.error} />}
        <FormFoot submit={t('cash.reverse')} isPending={reverse.isPending} onClose={onClose} />
      </form>
    </Dialog>
  )
}
