import { useMutation } from '@tanstack/preact-query'
import { api, type Schemas } from '../../../api/client.ts'
import { unwrap } from '../../../api/errors.ts'
import { type CurrentStore, useStore } from '../../../session/store.tsx'
import { showToast } from '../../../ui/toast.tsx'
import type { OrderStatus } from '../../../ui/values.tsx'
import { t } from '../../../words/words.ts'
import { showOrder } from '../list/order-list.ts'
import type { Choice } from '../people.ts'
import { explainFailure, type OrderDetails, refreshOrder, showAtOnce, versionHeader } from './order-data.ts'

interface Move {
  readonly to: OrderStatus
  readonly reason?: string
}

const patch = async (id: string, body: Schemas['OrderChange'], headers = {}) =>
  (await unwrap(api.PATCH('/v1/orders/{id}', { params: { path: { id } }, body, headers }))).data

/** Changes the status of an order. It shows at once, and is taken back when the server refuses. A toast offers to undo it. */
export function useMoveOrder(order: OrderDetails) {
  const { storeId, timeZone } = useStore()
  const { id } = order
  return useMutation({
    mutationFn: ({ to, reason }: Move) => patch(id, { status: to, ...(reason && { reason }) }, versionHeader(order)),
    // The status that shows at once replaces the one of `order` before the answer comes.
    onMutate: ({ to }) => ({ before: order.status, hide: showAtOnce(id, { status: to }) }),
    onSuccess: (changed, { to }, { before }) => {
      showOrder(changed)
      showAtOnce(id, changed)
      const back = undoOf(before, to)
      const undo = { label: t('undo'), run: () => void takeBack({ storeId, timeZone }, id, back) }
      showToast(t('orders.moved', { reference: order.reference, status: t(`status.${to}`) }), undo)
      return refreshOrder(storeId, id)
    },
    onError: async (error, _, shown) => {
      shown?.hide()
      showToast(await explainFailure(error, id, order.history.at(-1)?.at, timeZone))
    },
  })
}

/** Status that undoes a change by hand. A cancelled order can only become pending again. */
const undoOf = (from: OrderStatus, to: OrderStatus): OrderStatus => (to === 'cancelled' ? 'pending' : from)

async function takeBack({ storeId, timeZone }: Pick<CurrentStore, 'storeId' | 'timeZone'>, id: string, status: OrderStatus): Promise<void> {
  try {
    showOrder(await patch(id, { status }))
  } catch (error) {
    showToast(await explainFailure(error, id, undefined, timeZone))
  }
  await refreshOrder(storeId, id)
}

/** Assigns an order to a member of the store, or to nobody. */
export function useAssignOrder(order: OrderDetails) {
  const { storeId, timeZone } = useStore()
  return useMutation({
    mutationFn: async (agent: Choice | null) => {
      const body = { storeId, orderId: order.id, userId: agent?.id ?? null }
      return (await unwrap(api.POST('/v1/orders/assign', { body }))).data
    },
    onSuccess: (changed, agent) => {
      showOrder(changed, agent?.name ?? null)
      showAtOnce(order.id, changed)
      return refreshOrder(storeId, order.id)
    },
    onError: async (error) => showToast(await explainFailure(error, order.id, order.history.at(-1)?.at, timeZone)),
  })
}

interface Sending {
  readonly carrier: string
  /** Sends it although it is not confirmed, or although its place is unknown. */
  readonly force: boolean
}

/** Sends an order with a carrier. A carrier that needs longer than ten seconds goes on by itself. */
export function useSendOrder(order: OrderDetails, onSent: () => void) {
  const { storeId } = useStore()
  return useMutation({
    mutationFn: ({ carrier, force }: Sending) => {
      const path = { storeId, orderId: order.id, carrierCode: carrier }
      const asked = api.POST('/v1/stores/{storeId}/orders/{orderId}/carriers/{carrierCode}/send', { params: { path }, body: { force } })
      return unwrap(asked)
    },
    onSuccess: () => {
      showToast(t('orders.sent', { reference: order.reference }))
      onSent()
    },
    onSettled: () => refreshOrder(storeId, order.id),
  })
}

/** Cancels the sending of an order at its carrier. */
export function useUnsendOrder(order: OrderDetails) {
  const { storeId, timeZone } = useStore()
  return useMutation({
    mutationFn: (carrier: string) => {
      const path = { storeId, orderId: order.id, carrierCode: carrier }
      return unwrap(api.POST('/v1/stores/{storeId}/orders/{orderId}/carriers/{carrierCode}/unsend', { params: { path } }))
    },
    onError: async (error) => showToast(await explainFailure(error, order.id, order.history.at(-1)?.at, timeZone)),
    onSettled: () => refreshOrder(storeId, order.id),
  })
}
