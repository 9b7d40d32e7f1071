import type { Concern } from '../../../plugins/payment/model.ts'
import type { Tx } from '../../data/sql.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { invariant } from '../../lib/invariant.ts'
import { decimal } from '../../lib/money/decimal.ts'
import { type HeldOrder, holdDeletedToo } from '../../orders/change/hold.ts'
import { postPayment } from '../remittances/payments.ts'
import { oddityOf } from './events/concern.ts'
import { settleOrder } from './orders/settle.ts'
import { listOfOrder, lockPayment, type NamedPayment, type PaymentRow, updatePayment } from './payments.queries.ts'

/** What has to be said of some before it is known what would count. */
const sayInstead: Partial<Record<Concern, string>> = {
  refund_unknown: 'Say what became of its refund instead.',
  outcome_unknown: 'Look at the gateway, and say whether the money is there (settle) instead.',
}

/** A person says that a payment of concern counts for its order, as it is. Throws `invalid_transition` where nothing waits for that. */
export async function acceptPayment(tx: Tx, named: NamedPayment): Promise<PaymentRow> {
  const held = await holdDeletedToo(tx, named)
  const payment = invariant(await lockPayment(tx, named.id), 'A payment of an order')
  const instead = payment.concern === null ? 'Nothing about the payment waits for a person.' : sayInstead[payment.concern]
  if (instead !== undefined) throw new ApiError('invalid_transition', instead)
  const isForeign = payment.paid === null
  if (isForeign) {
    const at = payment.paidAt ?? new Date().toISOString()
    await postPayment(tx, { ...payment, paymentId: payment.id, at, amount: decimal(payment.amount), fee: 0n })
  }
  const accepted = await updatePayment(tx, payment.id, {
    accepted: true,
    concern: null,
    concernSince: null,
    ...(isForeign && { paid: payment.amount }),
  })
  await acceptAsItIs(tx, held)
  await settleOrder(tx, held)
  return accepted
}

/** Whatever else moves its order: what is odd about its money now was accepted. */
async function acceptAsItIs(tx: Tx, held: HeldOrder): Promise<void> {
  const payments = await listOfOrder(tx, held.order.id)
  for (const payment of payments.filter(({ accepted, concern }) => accepted && concern === null)) {
    const acceptedAs = oddityOf(held, payments, payment)?.as ?? null
    if (acceptedAs !== payment.acceptedAs) await updatePayment(tx, payment.id, { acceptedAs })
  }
}
