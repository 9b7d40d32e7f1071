import { useRef, useState } from 'preact/hooks'
import { RequestError } from '../../../api/errors.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { readForm } from '../../../ui/form/form.ts'
import { FormFoot } from '../../../ui/form/form-foot.tsx'
import { Name } from '../../../ui/values.tsx'
import { t } from '../../../words/words.ts'
import { useCarriers } from '../people.ts'
import { useSendOrder } from './order-actions.ts'
import type { OrderDetails } from './order-data.ts'

/** Errors that a person may set aside. */
const mayForce = (error: unknown) => error instanceof RequestError && ['order_not_confirmed', 'place_unknown'].includes(error.code)

interface SendSheetProps {
  readonly order: OrderDetails
  readonly onClose: () => void
}

/** Asks with which carrier an order is sent, and shows why the carrier refused it. */
export function SendSheet({ order, onClose }: SendSheetProps) {
  const form = useRef<HTMLFormElement>(null)
  const [force, setForce] = useState(false)
  const send = useSendOrder(order, onClose)
  const submit = (event: SubmitEvent) => {
    const { carrier } = readForm(event)
    if (carrier) send.mutate({ carrier, force })
  }
  return (
    <Dialog title={t('orders.sendTitle', { reference: order.reference })} onClose={onClose}>
      <form class="stack" ref={form} onSubmit={submit}>
        {send.error && <Failure error={send.error} />}
        {mayForce(send.error) && (
          <label class="check">
            <input type="checkbox" checked={force} onChange={({ currentTarget }) => setForce(currentTarget.checked)} />
            {t('orders.sendAnyway')}
          </label>
        )}
        <CarrierChoices />
        <FormFoot submit={t(send.isPending ? 'orders.sending' : 'orders.send')} isPending={send.isPending} onClose={onClose} />
      </form>
    </Dialog>
  )
}

interface CarrierChoicesProps {
  /** True if the rules of the store may choose the carrier of each order. */
  readonly canBeChosen?: boolean
}

/** Choice of one of the store's carriers, as the field `carrier` of a form. */
export function CarrierChoices({ canBeChosen = false }: CarrierChoicesProps) {
  const carriers = useCarriers()
  if (carriers.length === 0) return <p class="notice wait">{t('orders.noCarriers')}</p>
  return (
    <fieldset class="choices">
      <legend>{t('orders.carrier')}</legend>
      {canBeChosen && (
        <label class="check">
          <input type="radio" name="carrier" value="" defaultChecked />
          {t('bulk.byRules')}
        </label>
      )}
      {carriers.map(({ id, name }, at) => (
        <label key={id} class="check">
          <input type="radio" name="carrier" value={id} defaultChecked={at === 0 && !canBeChosen} required />
          <Name inline>{name}</Name>
        </label>
      ))}
    </fieldset>
  )
}
