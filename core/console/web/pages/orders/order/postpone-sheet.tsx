import { useMutation } from '@tanstack/preact-query'
import { useRecordedReason } from '../../../api/call-reasons.ts'
import { api } from '../../../api/client.ts'
import { unwrap } from '../../../api/errors.ts'
import { useStore } from '../../../session/store.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Failure, problemOf } from '../../../ui/failure.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { readForm } from '../../../ui/form/form.ts'
import { FormFoot } from '../../../ui/form/form-foot.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { t } from '../../../words/words.ts'
import { DAY_MS, dayOf, startOfDay } from '../list/filters/days.ts'
import { showOrder } from '../list/order-list.ts'
import { type OrderDetails, refreshOrder } from './order-data.ts'
import { ReasonField } from './reason-sheet.tsx'

interface PostponeSheetProps {
  readonly order: OrderDetails
  readonly onClose: () => void
}

/** Asks when the customer wants to be called again. The order comes back to the desk on that day, within the calling hours. */
export function PostponeSheet({ order, onClose }: PostponeSheetProps) {
  const { storeId, timeZone, can } = useStore()
  const canChooseDay = order.status !== 'confirmed' && can('takeConfirmation')
  const postpone = usePostpone(order)
  const recorded = useRecordedReason('postponed')
  const submit = (event: SubmitEvent) => {
    const { day = '', reason = '' } = readForm(event)
    postpone.mutate(
      { day, reason: recorded(reason) },
      {
        onSuccess: () => {
          showToast(t('orders.moved', { reference: order.reference, status: t('status.postponed') }))
          onClose()
          return refreshOrder(storeId, order.id)
        },
      },
    )
  }
  return (
    <Dialog title={t('orders.postponeTitle', { reference: order.reference })} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        {postpone.error && <Failure error={postpone.error} />}
        {canChooseDay && (
          <Field label={t('orders.callOn')} problem={problemOf(postpone.error, 'until')}>
            <input name="day" type="date" min={dayOf(Date.now() + DAY_MS, timeZone)} />
          </Field>
        )}
        <ReasonField of="postponed" isRequired={false} />
        <FormFoot submit={t('orders.postpone')} isPending={postpone.isPending} onClose={onClose} />
      </form>
    </Dialog>
  )
}

/** Postpones an order: with a day as the outcome of a call, which brings it back to the desk then; without one by its status alone. */
function usePostpone({ id }: OrderDetails) {
  const { storeId, timeZone } = useStore()
  return useMutation({
    mutationFn: async ({ day, reason }: { readonly day: string; readonly reason: string }) => {
      const why = reason !== '' && { reason }
      if (day === '') {
        const body = { status: 'postponed' as const, ...why }
        showOrder((await unwrap(api.PATCH('/v1/orders/{id}', { params: { path: { id } }, body }))).data)
        return
      }
      await unwrap(api.POST('/v1/orders/confirmation/take', { body: { storeId, orderId: id } }))
      const body = { storeId, orderId: id, outcome: 'postponed' as const, until: startOfDay(day, timeZone), ...why }
      showOrder((await unwrap(api.POST('/v1/orders/confirmation/release', { body }))).data.order)
    },
  })
}
