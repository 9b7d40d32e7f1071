import { type Sql, transaction } from '../../../data/sql.ts'
import { invariant } from '../../../lib/invariant.ts'
import { lockOrderWithParcelsIncludingDeleted } from '../../../orders/change/lock-order.ts'
import { updateOrderPayment } from '../orders/update-order-payment.ts'
import { lockPayment, type PaymentRef } from '../payments.queries.ts'
import { isOutcomeOverdue } from '../schedule.ts'
import { flagConcern } from './flag-concern.ts'

/**
 * Raises `outcome_unknown` for a payment whose outcome is overdue, so that a user checks it at the gateway. Does nothing if it has a
 * concern already.
 */
export const markOutcomeUnknown = (sql: Sql, named: PaymentRef): Promise<void> =>
  transaction(sql, async (tx) => {
    const locked = await lockOrderWithParcelsIncludingDeleted(tx, named)
    const payment = invariant(await lockPayment(tx, named.id), 'A payment that was read')
    if (payment.concern !== null || !isOutcomeOverdue(payment, Date.now())) return
    await flagConcern(tx, payment, 'outcome_unknown')
    await updateOrderPayment(tx, locked)
  })
