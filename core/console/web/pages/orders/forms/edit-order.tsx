import '../../../styles/order-form.css'
import { useMutation } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { api, type Schemas } from '../../../api/client.ts'
import { RequestError, unwrap } from '../../../api/errors.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { useFocusOnProblem } from '../../../ui/form/form.ts'
import { showToast } from '../../../ui/toast.tsx'
import { t } from '../../../words/words.ts'
import { readOrder } from '../order/order-data.ts'
import { AmountFields } from './fields/amount-fields.tsx'
import { OrderFields } from './fields/order-fields.tsx'
import { OrderTotals } from './fields/order-totals.tsx'
import { OrderWarnings } from './fields/order-warnings.tsx'
import { refreshOrders } from './refresh-orders.ts'
import { useEditTotals } from './values/edit-totals.ts'
import { changeOf, hasOtherDiscount, valuesOf } from './values/order-change.ts'
import { useOrderLines } from './values/order-lines.ts'
import { findOrderProblems, type LineValues, type OrderProblem, type OrderValues } from './values/order-values.ts'

type Order = Schemas['Order']

interface EditOrderProps {
  readonly order: Order
  readonly onClose: () => void
}

/** Statuses in which an order can be edited: no carrier has it yet. */
const editable: readonly Order['status'][] = ['pending', 'confirmed', 'unreachable', 'postponed']
/** Returns true if the goods, the customer and the address of an order may still change. */
export const isEditable = ({ status }: Pick<Order, 'status'>): boolean => editable.includes(status)

/** Edits an order that no carrier has yet. Only what was changed is sent. */
export function EditOrderDialog({ order, onClose }: EditOrderProps) {
  // The order may be read anew meanwhile: what was opened is what is changed.
  const [opened] = useState(order)
  const { data: lines, error } = useOrderLines(opened)
  return (
    <Dialog shape="drawer" title={t('order.editTitle', { reference: order.reference })} onClose={onClose}>
      {error && <Failure error={error} />}
      {lines ? <EditForm order={opened} lines={lines} onClose={onClose} /> : <span class="skeleton" aria-busy={error === null} />}
    </Dialog>
  )
}

function EditForm({ order, lines, onClose }: EditOrderProps & { readonly lines: readonly LineValues[] }) {
  const [before] = useState(() => valuesOf(order, lines))
  const [version, setVersion] = useState(order.version)
  const [values, setValues] = useState(before)
  const [attempts, setAttempts] = useState(0)
  const { totals, usualDelivery, warnings, isWaiting } = useEditTotals(order, before, values)
  const save = useMutation({
    mutationFn: async (body: NonNullable<ReturnType<typeof changeOf>>) =>
      unwrap(api.PATCH('/v1/orders/{id}', { params: { path: { id: order.id } }, body, headers: { 'if-match': `"${version}"` } })),
    onSuccess: () => {
      showToast(t('order.saved', { reference: order.reference }))
      onClose()
    },
    onError: async (error) => {
      if (!(error instanceof RequestError && error.code === 'version_conflict')) return
      // Only what was changed is sent, so saving once more keeps what a colleague changed elsewhere.
      const now = await readOrder(order.id).catch(() => undefined)
      if (now) setVersion(now.version)
    },
    onSettled: () => refreshOrders(order.id),
  })
  const form = useFocusOnProblem(attempts, save.error)
  const change = (changed: Partial<OrderValues>) => {
    save.reset()
    setValues((current) => ({ ...current, ...changed }))
  }
  const problems = problemsOf(before, values, totals.subtotal)
  const shown = attempts > 0 ? problems : new Set<never>()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setAttempts(attempts + 1)
    if (problems.size > 0 || save.isPending) return
    const body = changeOf(before, values)
    if (body) save.mutate(body)
    else onClose()
  }
  return (
    <form ref={form} class="dialog-form" onSubmit={submit} noValidate>
      <OrderFields values={values} onChange={change} problems={shown} error={save.error} />
      <section class="stack form-section">
        <h2>{t('order.amounts')}</h2>
        <AmountFields values={values} onChange={change} problems={shown} error={save.error} usualDelivery={usualDelivery} />
        <OrderWarnings warnings={warnings} />
        <OrderTotals totals={totals} isWaiting={isWaiting} />
      </section>
      <div class="dialog-foot">
        {save.error && <Failure error={save.error} />}
        <button type="submit" class="button primary" disabled={save.isPending}>
          {t('save')}
        </button>
        <button type="button" class="button" onClick={onClose}>
          {t('cancel')}
        </button>
      </div>
    </form>
  )
}

/** A discount that stays keeps its reason. */
function problemsOf(before: OrderValues, values: OrderValues, subtotal: number): ReadonlySet<OrderProblem> {
  const found = new Set(findOrderProblems(values, subtotal))
  if (!hasOtherDiscount(before, values)) found.delete('discountReason')
  return found
}
