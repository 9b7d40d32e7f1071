import { type Sql, transaction } from '../../../data/sql.ts'
import { invariant } from '../../../lib/invariant.ts'
import { holdDeletedToo } from '../../../orders/change/hold.ts'
import { settleOrder } from '../orders/settle.ts'
import { lockPayment, type NamedPayment } from '../payments.queries.ts'
import { isDoubtful } from '../schedule.ts'
import { worry } from './flag-concern.ts'

/**
 * Raises `outcome_unknown` for a payment whose outcome is overdue, so that a user checks it at the gateway. Does nothing if it has a
 * concern already.
 */
export const doubt = (sql: Sql, named: NamedPayment): Promise<void> =>
  transaction(sql, async (tx) => {
    const locked = await holdDeletedToo(tx, named)
    const payment = invariant(await lockPayment(tx, named.id), 'A payment that was read')
    if (payment.concern !== null || !isDoubtful(payment, Date.now())) return
    await worry(tx, payment, 'outcome_unknown')
    await settleOrder(tx, locked)
  })
