import type { Concern } from '../../../../plugins/payment/payments.model.ts'
import { enqueue } from '../../../data/jobs.ts'
import type { Tx } from '../../../data/sql.ts'
import type { Subscribers } from '../../../data/subscribers.ts'
import { decimal } from '../../../lib/money/decimal.ts'
import { type LockedOrder, readLockedOrder } from '../../../orders/change/lock-order.ts'
import { amountDueOf } from '../../../orders/parcels/parcel-values.ts'
import { endedStatuses } from '../../../orders/statuses.ts'
import { paymentErrors } from '../payments.errors.ts'
import type { PaymentRow } from '../payments.model.ts'
import { updatePayment } from '../payments.queries.ts'
import { isUnderWay, paidStatuses } from '../statuses.ts'
import { type OrderConcern, orderConcernOf } from './concerns.ts'
import { countPaymentsUnderWayOfStore, listPaymentsOfOrder } from './order-payments.queries.ts'
import { emitPaymentEvent, updateOrderPayment } from './update-order-payment.ts'

/** Subscribers that update payments when an order changes, and that reject deletions while payments of orders are under way. */
export const orderSubscribers: Subscribers = {
  async 'order.moved'(tx, named) {
    const locked = await readLockedOrder(tx, named)
    const payments = await listPaymentsOfOrder(tx, named.projectId, named.orderId)
    await expireUnfit(tx, locked, payments)
    for (const payment of payments) await updateConcern(tx, payment, orderConcernOf(locked, payments, payment))
    await updateOrderPayment(tx, locked)
  },
  async 'order.deleted'(tx, { projectId, orderId }) {
    const blocking = (await listPaymentsOfOrder(tx, projectId, orderId)).find(
      ({ status }) => isUnderWay(status) || paidStatuses.includes(status),
    )
    if (blocking) throw paymentErrors.paymentBlocking({ id: blocking.id, status: blocking.status })
  },
  async 'store.deleted'(tx, { store: { projectId } }) {
    const payments = await countPaymentsUnderWayOfStore(tx, projectId)
    if (payments > 0) throw paymentErrors.paymentsOfStoreUnderWay({ payments })
  },
}

/**
 * Expires payments that no longer fit the order: it ended or its remaining amount changed. Leaves `processing`, because the payer has left
 * the page.
 */
async function expireUnfit(tx: Tx, { order }: LockedOrder, payments: readonly PaymentRow[]) {
  const isUnfit = ({ status, amount }: PaymentRow) =>
    isUnderWay(status) && status !== 'processing' && (endedStatuses.includes(order.status) || decimal(amount) !== amountDueOf(order))
  for (const { id } of payments.filter(isUnfit)) await enqueue(tx, 'payments.expire', { paymentId: id }, { key: `expire:${id}` })
}

const ORDER_CONCERNS: readonly (Concern | null)[] = ['order_ended', 'paid_more', null]

/** Updates the concern that the order raises about a payment. Leaves other concerns and an accepted, unchanged concern alone. */
async function updateConcern(tx: Tx, payment: PaymentRow, oddity: OrderConcern | null) {
  const { accepted, acceptedAs } = payment
  if (!accepted || !ORDER_CONCERNS.includes(payment.concern) || (oddity && oddity.acceptanceKey === acceptedAs)) return
  const concern = oddity?.concern ?? null
  if (concern === payment.concern && acceptedAs === null) return
  const updated = await updatePayment(tx, payment, { concern, concernSince: concern && new Date().toISOString(), acceptedAs: null })
  if (concern) await emitPaymentEvent(tx, 'payment.needs_attention', updated)
}
