import type { Concern } from '../../../../plugins/payment/payments.model.ts'
import { projectIdOf } from '../../../data/project-ids.ts'
import type { Tx } from '../../../data/sql.ts'
import type { DomainError } from '../../../lib/errors/domain-error.ts'
import { decimal } from '../../../lib/money/decimal.ts'
import { type LockedOrder, lockOrderWithParcelsIncludingDeleted } from '../../../orders/change/lock-order.ts'
import { postPayment } from '../../ledger/entries/post-payments.ts'
import { paymentErrors } from '../payments.errors.ts'
import type { PaymentRef, PaymentRow } from '../payments.model.ts'
import { lockPayment, updatePayment } from '../payments.queries.ts'
import { orderConcernOf } from './concerns.ts'
import { refOf } from './order-payment.ts'
import { listPaymentsOfOrder } from './order-payments.queries.ts'
import { updateOrderPayment } from './update-order-payment.ts'

/** Instructions for concerns that cannot be accepted before their outcome is recorded. */
const otherActions: Partial<Record<Concern, () => DomainError>> = {
  refund_unknown: paymentErrors.refundOutcomeMissing,
  outcome_unknown: paymentErrors.paymentOutcomeMissing,
}

/**
 * Accepts a payment that waits for review, so that it counts for its order as it is. Posts a payment in another currency at its requested
 * amount. Throws `invalid_transition` if it does not wait, or if its outcome must be recorded instead.
 */
export async function acceptPayment(tx: Tx, named: PaymentRef): Promise<PaymentRow> {
  const locked = await lockOrderWithParcelsIncludingDeleted(tx, refOf(named))
  const payment = await lockPayment(tx, named)
  const refusal = payment.concern === null ? paymentErrors.notUnderReview : otherActions[payment.concern]
  if (refusal) throw refusal()
  const isOtherCurrency = payment.paid === null
  if (isOtherCurrency) {
    const at = payment.paidAt ?? new Date().toISOString()
    await postPayment(tx, {
      ...payment,
      paymentId: payment.id,
      at,
      amount: decimal(payment.amount),
      fee: 0n,
    })
  }
  const accepted = await updatePayment(tx, payment, {
    accepted: true,
    concern: null,
    concernSince: null,
    ...(isOtherCurrency && { paid: payment.amount }),
  })
  await recordAcceptedConcerns(tx, locked)
  await updateOrderPayment(tx, locked)
  return accepted
}

/** Records what was unusual about each accepted payment of the order, so that the same concern is not raised again. */
async function recordAcceptedConcerns(tx: Tx, locked: LockedOrder): Promise<void> {
  const payments = await listPaymentsOfOrder(tx, projectIdOf(locked.order.storeId), locked.order.id)
  for (const payment of payments.filter(({ accepted, concern }) => accepted && concern === null)) {
    const acceptedAs = orderConcernOf(locked, payments, payment)?.acceptanceKey ?? null
    if (acceptedAs !== payment.acceptedAs) await updatePayment(tx, payment, { acceptedAs })
  }
}
