import '../../../styles/order-form.css'
import { useMutation } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { Link, useLocation, useSearch } from 'wouter-preact'
import { api } from '../../../api/client.ts'
import { unwrap } from '../../../api/errors.ts'
import { useCreationHeader } from '../../../api/idempotency.ts'
import { queries } from '../../../api/queries.ts'
import { useStore } from '../../../session/store.tsx'
import { describeFailure, Failure } from '../../../ui/failure.tsx'
import { useFocusOnProblem } from '../../../ui/form/form.ts'
import { showToast } from '../../../ui/toast.tsx'
import { t } from '../../../words/words.ts'
import { AmountFields } from './fields/amount-fields.tsx'
import { OrderFields } from './fields/order-fields.tsx'
import { OrderTotals } from './fields/order-totals.tsx'
import { OrderWarnings } from './fields/order-warnings.tsx'
import { forgetOrderLists } from './refresh-orders.ts'
import { totalsOf, useCalculation } from './values/calculation.ts'
import { adjustmentsOf, emptyOrder, findOrderProblems, newOrderOf, type OrderValues } from './values/order-values.ts'

const mutationKey = ['orders', 'create']

/** Page that writes an order by hand: for a call, a message or a visit. `?phone=` names the customer. */
export default function NewOrderPage() {
  const { storeId } = useStore()
  const asked = new URLSearchParams(useSearch())
  const [values, setValues] = useState(() => ({ ...emptyOrder, phone: asked.get('phone') ?? '' }))
  const [attempts, setAttempts] = useState(0)
  const calculation = useCalculation(values)
  const create = useCreateOrder()
  const form = useFocusOnProblem(attempts, create.error)
  const change = (changed: Partial<OrderValues>) => {
    create.reset()
    setValues((before) => ({ ...before, ...changed }))
  }
  const totals = totalsOf(values, values.lines.length > 0 ? calculation.data?.totals : undefined)
  const problems = findOrderProblems(values, totals.subtotal)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setAttempts(attempts + 1)
    if (problems.size === 0 && queries.isMutating({ mutationKey }) === 0) create.mutate(values)
  }
  const error = create.error ?? calculation.error
  const shown = attempts > 0 ? problems : new Set<never>()
  return (
    <main class="page">
      <div class="page-head">
        <h1>{t('order.new')}</h1>
      </div>
      <form ref={form} class="order-form" onSubmit={submit} noValidate>
        <div class="form-main">
          <OrderFields values={values} onChange={change} problems={shown} error={error} isNew />
        </div>
        <div class="form-side">
          <AmountFields
            values={values}
            onChange={change}
            problems={shown}
            error={error}
            usualDelivery={calculation.data?.totals.delivery}
          />
          <OrderWarnings warnings={calculation.data?.warnings ?? []} />
          <OrderTotals totals={totals} isWaiting={calculation.isFetching} />
          {error !== null && <Failure error={error} />}
          <div class="form-actions">
            <button type="submit" class="button primary" disabled={create.isPending}>
              {t('order.create')}
            </button>
            <Link class="button" href={`/${storeId}/orders`}>
              {t('cancel')}
            </Link>
          </div>
        </div>
      </form>
    </main>
  )
}

/** Creates the order, then sets the amounts by hand, which a creation does not take. */
function useCreateOrder() {
  const store = useStore()
  const [, go] = useLocation()
  const headerOf = useCreationHeader()
  return useMutation({
    mutationKey,
    mutationFn: async (values: OrderValues) => {
      const body = newOrderOf(values, store)
      const { data: order } = await unwrap(api.POST('/v1/orders', { body, params: { header: headerOf(body) } }))
      const adjustments = adjustmentsOf(values)
      if (adjustments) {
        const params = { path: { id: order.id } }
        await unwrap(api.PATCH('/v1/orders/{id}', { params, body: adjustments })).catch((error: unknown) =>
          showToast(t('order.adjustmentFailed', { why: describeFailure(error) })),
        )
      }
      return order
    },
    onSuccess: ({ id, reference }) => {
      showToast(t('order.created', { reference }))
      forgetOrderLists()
      go(`/${store.storeId}/orders/${id}`)
    },
  })
}
