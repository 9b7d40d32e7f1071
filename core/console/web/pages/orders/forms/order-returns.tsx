import '../../../styles/order-form.css'
import { useMutation } from '@tanstack/preact-query'
import { api, type Schemas } from '../../../api/client.ts'
import { unwrap } from '../../../api/errors.ts'
import { useStore } from '../../../session/store.tsx'
import { describeFailure } from '../../../ui/failure.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { Moment, Name } from '../../../ui/values.tsx'
import { t } from '../../../words/words.ts'
import { refreshOrders } from './refresh-orders.ts'

type Order = Schemas['OrderDetails']
type Returned = Order['returns'][number]

const tones = { awaited: 'wait', received: 'ok', cancelled: 'over' } as const

/** Lists the returns of an order. One that is awaited can be received, or cancelled. */
export function OrderReturns({ order }: { readonly order: Order }) {
  const { can } = useStore()
  return (
    <ul class="order-lines card">
      {order.returns.map((each) => (
        <li key={each.id}>
          <div class="line-name">
            <Name>{each.items.map(({ item, quantity }) => `${order.items[item]?.name ?? ''} × ${quantity}`).join(', ')}</Name>
            <span class="muted small">
              <Moment at={each.receivedAt ?? each.createdAt} />
            </span>
          </div>
          <span class={`status ${tones[each.status]}`}>{t(`return.status.${each.status}`)}</span>
          {each.status === 'awaited' && can('receiveReturn') && <ReturnActions order={order} returned={each} />}
        </li>
      ))}
    </ul>
  )
}

function ReturnActions({ order, returned }: { readonly order: Order; readonly returned: Returned }) {
  const params = { path: { id: order.id, returnId: returned.id } }
  const act = useMutation({
    mutationFn: async (verb: 'receive' | 'cancel') => {
      if (verb === 'receive') await unwrap(api.POST('/v1/orders/{id}/returns/{returnId}/receive', { params, body: {} }))
      else await unwrap(api.POST('/v1/orders/{id}/returns/{returnId}/cancel', { params }))
    },
    onSuccess: (_, verb) => showToast(t(verb === 'receive' ? 'return.recorded' : 'return.cancelled')),
    onError: (error) => showToast(describeFailure(error)),
    onSettled: () => refreshOrders(order.id),
  })
  return (
    <div class="row">
      <button type="button" class="button" disabled={act.isPending} onClick={() => act.mutate('receive')}>
        {t('return.receive')}
      </button>
      <button type="button" class="button quiet" disabled={act.isPending} onClick={() => act.mutate('cancel')}>
        {t('cancel')}
      </button>
    </div>
  )
}
