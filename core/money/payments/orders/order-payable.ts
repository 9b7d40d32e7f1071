import { storeIdOf } from '../../../data/project-ids.ts'
import { type Sql, type Tx, transaction } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import { invariant } from '../../../lib/invariant.ts'
import { type Decimal, decimal } from '../../../lib/money/decimal.ts'
import { lockOrderWithParcelsIncludingDeleted } from '../../../orders/change/lock-order.ts'
import { findOrder } from '../../../orders/orders.queries.ts'
import { amountDueOf } from '../../../orders/parcels/parcel-values.ts'
import { endedStatuses } from '../../../orders/statuses.ts'
import { postPayment, postRefund } from '../../ledger/entries/post-payments.ts'
import { isOutcomeOverdue } from '../events/poll-schedule.ts'
import type { LockedPayable, Payable } from '../payable.ts'
import { paymentErrors } from '../payments.errors.ts'
import type { PaymentRow } from '../payments.model.ts'
import { lockPayment } from '../payments.queries.ts'
import { flagConcern, paidConcernOf } from './concerns.ts'
import { refOf } from './order-payment.ts'
import { findOrderPayer, listPaymentsOfOrder } from './order-payments.queries.ts'
import { emitPaymentEvent, updateOrderPayment } from './update-order-payment.ts'

declare module '../../../data/subscribers.ts' {
  interface DomainEvents {
    /** A gateway's fee became known after its payment was posted to the ledger. */
    'payment.fee_reported': {
      readonly payment: { readonly projectId: string; readonly connectionId: string; readonly id: string }
      readonly fee: Decimal
    }
  }
}

/** Orders as payables: money of customers goes to the ledger, and counts for the order unless it raises a concern. */
export const orderPayable: Payable = {
  kind: 'order',
  idPrefix: 'pay',
  path: 'payments',
  titles: { ar: 'الطلب', fr: 'Commande', en: 'Order' },
  idParameter: 'order',
  roundsUp: false,
  hasFees: true,
  revertsRefunds: false,
  // Anyone who knows the order's id can start a payment.
  startLimit: { most: 50, hours: null },
  errors: {
    outcomeUnknown: paymentErrors.paymentOutcomeUnknown,
    tooManyPayments: (started) => paymentErrors.tooManyPayments({ started }),
  },
  async describe(sql, { projectId, payableId }) {
    const payer = invariant(await findOrderPayer(sql, storeIdOf(projectId), payableId), 'The order of a payment')
    const { reference, customerName: name, customerPhone: phone, customerEmail: email } = payer
    return { label: reference, reference, description: reference, customer: { name, phone, email } }
  },
  exists: async (sql, { projectId, payableId }) => (await findOrder(sql, { storeId: storeIdOf(projectId), id: payableId })) !== undefined,
  async isDue(sql, { projectId, payableId, amount }) {
    const order = await findOrder(sql, { storeId: storeIdOf(projectId), id: payableId })
    return order !== undefined && !endedStatuses.includes(order.status) && amountDueOf(order) === decimal(amount)
  },
  lock: (_, tx, ref) => lockOrder(tx, ref),
  onOutcomeOverdue: ({ sql }, payment) => markOutcomeUnknown(sql, payment),
}

async function lockOrder(tx: Tx, ref: Parameters<Payable['lock']>[2]): Promise<LockedPayable> {
  const order = await lockOrderWithParcelsIncludingDeleted(tx, refOf(ref))
  return {
    async concernOf(payment, paid, event) {
      const others = (await listPaymentsOfOrder(tx, payment.projectId, payment.payableId)).filter(({ id }) => id !== payment.id)
      return paidConcernOf(payment, paid, event, { ...order, others })
    },
    async onPaid(payment, money) {
      if (money) await postPayment(tx, { ...entryOf(payment), ...money })
      await emitPaymentEvent(tx, 'payment.paid', payment)
      if (payment.concern) await emitPaymentEvent(tx, 'payment.needs_attention', payment)
    },
    async onRefunded(payment, { refundId, amount }) {
      await postRefund(tx, { ...entryOf(payment), refundId, at: new Date().toISOString(), amount })
      await emitPaymentEvent(tx, 'payment.refunded', payment)
    },
    async onRefundReverted(payment, { refundId, amount }) {
      await postRefund(tx, { ...entryOf(payment), refundId, at: new Date().toISOString(), amount: -amount })
    },
    flagConcern: (payment, concern, change) => flagConcern(tx, payment, concern, change),
    onUnpaid: (payment) => emitPaymentEvent(tx, 'payment.failed', payment),
    onFee: ({ id, connectionId, ...payment }, fee) =>
      publish(tx, 'payment.fee_reported', { payment: { id, connectionId, projectId: payment.projectId }, fee }),
    onReceipt: (_, payment) => emitPaymentEvent(tx, 'payment.proof_received', payment),
    onChange: () => updateOrderPayment(tx, order),
  }
}

const entryOf = (payment: PaymentRow) => ({
  projectId: payment.projectId,
  connectionId: payment.connectionId,
  paymentId: payment.id,
})

/**
 * Raises `outcome_unknown` for a payment whose outcome is overdue, so that a user checks it at the gateway. Does nothing if it has a
 * concern already.
 */
const markOutcomeUnknown = (sql: Sql, named: PaymentRow): Promise<void> =>
  transaction(sql, async (tx) => {
    const order = await lockOrderWithParcelsIncludingDeleted(tx, refOf(named))
    const payment = await lockPayment(tx, named)
    if (payment.concern !== null || !isOutcomeOverdue(payment, Date.now())) return
    await flagConcern(tx, payment, 'outcome_unknown')
    await updateOrderPayment(tx, order)
  })
