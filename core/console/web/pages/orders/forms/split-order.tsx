import '../../../styles/order-form.css'
import { useMutation } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { api, type Schemas } from '../../../api/client.ts'
import { RequestError, unwrap } from '../../../api/errors.ts'
import { useStore } from '../../../session/store.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Failure, problemOf } from '../../../ui/failure.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { readAmount } from '../../../words/numbers.ts'
import { t } from '../../../words/words.ts'
import { useCarriers } from '../people.ts'
import { chosenItems, countItems, type ItemCounts, ItemQuantities } from './fields/item-quantities.tsx'
import { refreshOrders } from './refresh-orders.ts'

type Order = Schemas['OrderDetails']

/** Returns the goods of an order that are in no parcel yet, by line. */
export const unsentItems = (order: Order): ItemCounts => countItems(order, ({ left }) => left)

interface Parcel {
  readonly chosen: ItemCounts
  readonly carrier: string
  readonly codAmount: string
  /** Sends it although it is not confirmed, or although its place is unknown. */
  readonly force: boolean
}

interface SplitOrderProps {
  readonly order: Order
  readonly onClose: () => void
}

const isForceable = (error: unknown) => error instanceof RequestError && ['order_not_confirmed', 'place_unknown'].includes(error.code)

/** Sends some goods of an order in a parcel of their own. The rest waits for another parcel. */
export function SplitOrderDialog({ order, onClose }: SplitOrderProps) {
  const most = unsentItems(order)
  const carriers = useCarriers()
  const [values, setValues] = useState<Parcel>({ chosen: new Map(), carrier: '', codAmount: '', force: false })
  const carrier = values.carrier || carriers[0]?.id
  const send = useSendPart(order, onClose)
  const change = (changed: Partial<Parcel>) => setValues((before) => ({ ...before, ...changed }))
  const isComplete = chosenItems(values.chosen).length > 0 && carrier !== undefined
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isComplete && !send.isPending) send.mutate({ ...values, carrier })
  }
  return (
    <Dialog shape="drawer" title={t('split.title', { reference: order.reference })} onClose={onClose}>
      <form class="dialog-form" onSubmit={submit} noValidate>
        <p class="muted">{t('split.text')}</p>
        <ItemQuantities order={order} most={most} chosen={values.chosen} onChange={(chosen) => change({ chosen })} />
        <CarrierField carriers={carriers} carrier={carrier} onChange={(chosen) => change({ carrier: chosen })} />
        <Field label={t('split.codAmount')} hint={t('split.codHint')} problem={problemOf(send.error, 'codAmount')}>
          <input inputMode="decimal" value={values.codAmount} onInput={({ currentTarget }) => change({ codAmount: currentTarget.value })} />
        </Field>
        {isForceable(send.error) && (
          <label class="check">
            <input type="checkbox" checked={values.force} onChange={({ currentTarget }) => change({ force: currentTarget.checked })} />
            {t('split.force')}
          </label>
        )}
        <div class="dialog-foot">
          {send.error && <Failure error={send.error} />}
          <button type="submit" class="button primary" disabled={!isComplete || send.isPending}>
            {t('split.submit')}
          </button>
          <button type="button" class="button" onClick={onClose}>
            {t('cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface CarrierFieldProps {
  readonly carriers: readonly { readonly id: string; readonly name: string }[]
  readonly carrier: string | undefined
  readonly onChange: (carrier: string) => void
}

/** A component of its own keeps the fields beside it as they are when the carriers have been read. */
function CarrierField({ carriers, carrier, onChange }: CarrierFieldProps) {
  if (carriers.length === 0) return <p class="notice wait">{t('split.noCarrier')}</p>
  return (
    <Field label={t('split.carrier')}>
      <select value={carrier} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {carriers.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  )
}

function useSendPart(order: Order, onClose: () => void) {
  const { storeId } = useStore()
  return useMutation({
    mutationFn: ({ chosen, carrier, codAmount, force }: Parcel) => {
      const path = { storeId, orderId: order.id, carrierCode: carrier }
      const amount = readAmount(codAmount)
      const body = { items: chosenItems(chosen), force, ...(amount !== undefined && { codAmount: amount }) }
      return unwrap(api.POST('/v1/stores/{storeId}/orders/{orderId}/carriers/{carrierCode}/send', { params: { path }, body }))
    },
    onSuccess: () => {
      showToast(t('split.sent', { reference: order.reference }))
      onClose()
    },
    onSettled: () => refreshOrders(order.id),
  })
}
