import type { Concern } from '../../../../plugins/payment/model.ts'
import { enqueue } from '../../../data/jobs.ts'
import type { Tx } from '../../../data/sql.ts'
import type { Subscribers } from '../../../data/subscribers.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { decimal } from '../../../lib/money/decimal.ts'
import { findHeld, type HeldOrder } from '../../../orders/change/hold.ts'
import { dueOf } from '../../../orders/parcels/parcel-of.ts'
import { ended } from '../../../orders/statuses.ts'
import { type Oddity, oddityOf } from '../events/concern.ts'
import { countUnderWay, countUnderWayOfStore, listOfOrder, type PaymentRow, updatePayment } from '../payments.queries.ts'
import { holdsMoney, isUnderWay } from '../statuses.ts'
import { settleOrder, tell } from './settle.ts'

/** What became of an order, or what it comes to, may leave money without what it was paid for. */
export const followOrders: Subscribers = {
  async 'order.moved'(tx, named) {
    const held = await findHeld(tx, named)
    const payments = await listOfOrder(tx, named.orderId)
    await closeUnfit(tx, held, payments)
    for (const payment of payments) await judge(tx, payment, oddityOf(held, payments, payment))
    await settleOrder(tx, held)
  },
  async 'order.leaving'(tx, { orderId }) {
    const kept = (await listOfOrder(tx, orderId)).find(({ status }) => isUnderWay(status) || holdsMoney.includes(status))
    if (kept)
      throw new ApiError('conflict', `The payment ${kept.id} of the order is ${kept.status}. Refund it, or wait until it is over, first.`)
  },
  async 'connection.leaving'(tx, { connection: { id, key } }) {
    const payments = await countUnderWay(tx, id)
    if (payments > 0)
      throw new ApiError(
        'conflict',
        `${payments} payments are under way at ${key}. Switch it off with enabled: false; it can be deleted when they are over.`,
      )
  },
  async 'store.leaving'(tx, { store: { id } }) {
    const payments = await countUnderWayOfStore(tx, id)
    if (payments > 0)
      throw new ApiError('conflict', `${payments} payments to the store are under way. It can be deleted when they are over.`)
  },
}

/** Nobody shall pay on a page for an order that ended, or an amount that is no longer what it lacks. Whoever did his part has left the page. */
async function closeUnfit(tx: Tx, { order }: HeldOrder, payments: readonly PaymentRow[]) {
  const isUnfit = ({ status, amount }: PaymentRow) =>
    isUnderWay(status) && status !== 'processing' && (ended.includes(order.status) || decimal(amount) !== dueOf(order))
  for (const { id } of payments.filter(isUnfit)) await enqueue(tx, 'payments.expire', { paymentId: id }, { key: `expire:${id}` })
}

const OURS: readonly (Concern | null)[] = ['order_ended', 'paid_more', null]

/** What waits for a person otherwise goes on waiting; what a person has accepted is no question while it stays as it was. */
async function judge(tx: Tx, payment: PaymentRow, oddity: Oddity | null) {
  const { accepted, acceptedAs } = payment
  if (!accepted || !OURS.includes(payment.concern) || (oddity && oddity.as === acceptedAs)) return
  const concern = oddity?.concern ?? null
  if (concern === payment.concern && acceptedAs === null) return
  const judged = await updatePayment(tx, payment.id, { concern, concernSince: concern && new Date().toISOString(), acceptedAs: null })
  if (concern) await tell(tx, 'payment.needs_attention', judged)
}
